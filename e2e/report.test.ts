// The incident report of a monitor over a store with a past: reached from its page, addressed by monitor and period, read
// on the screen and on paper.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { dayMs, writePast } from './written-past.ts'

const rowsOf = (page: Page, caption: string) =>
  page.getByRole('table', { name: caption, exact: true }).locator('tbody tr')
const wireTime = (ms: number) => new Date(ms).toISOString()

describeInBrowser('an incident report', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate', {
      before: (directory) => writePast(directory, ['checkout', 'search']),
      fleet: (target) => {
        target.mends('/checkout')
        return target.fleet()
      },
    })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const reportOf = (id: number, days: number) => {
    const query = new URLSearchParams({ from: wireTime(Date.now() - days * dayMs), to: wireTime(Date.now()) })
    return `/monitors/${id}/report?${query}`
  }

  it('is a link away from the monitor, of the window that is looked at', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors/1?window=7d')
    await page.getByRole('link', { name: 'Incident report' }).click()
    await page.getByRole('heading', { level: 1, name: 'Incident report: Checkout' }).waitFor()
    const { searchParams } = new URL(page.url())
    const [from, to] = [searchParams.get('from'), searchParams.get('to')].map((at) => Date.parse(at ?? ''))
    expect(to! - from!).toBe(7 * dayMs)
    await rowsOf(page, 'Incidents in the period').nth(1).waitFor()
    const address = page.url()
    await page.reload()
    await rowsOf(page, 'Incidents in the period').nth(1).waitFor()
    expect(page.url()).toBe(address)
    await page.getByRole('link', { name: 'Back to the monitor' }).click()
    await page.getByRole('heading', { level: 1, name: 'Checkout', exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Incident report: Checkout' }).waitFor()
  })

  it('tells incidents, every step, who did what, and what became of actions, as text', async () => {
    await using page = await service.emptyPage()
    const faults = faultsOf(page)
    await page.goto(`${service.url}${reportOf(1, 29)}`)
    await rowsOf(page, 'Incidents in the period').nth(2).waitFor()
    await expect
      .poll(() => rowsOf(page, 'Incidents in the period').allInnerTexts())
      .toEqual([
        expect.stringMatching(/39 min 30 s\s+<b>status 503<\/b>\s+recovered\s+mara$/),
        expect.stringMatching(/1 h 59 min\s+<b>status 503<\/b>\s+recovered\s+mara$/),
        expect.stringMatching(/29 min 30 s\s+<b>status 503<\/b>\s+recovered\s+mara$/),
      ])
    await expect.poll(() => rowsOf(page, 'Everything that happened, in order').count()).toBe(3 * 13)
    await expect
      .poll(() => rowsOf(page, 'What people and clients did').first().innerText())
      .toMatch(/^mara\s+Incident acknowledged\.\s.*looking at the load balancer$/)
    await expect.poll(() => rowsOf(page, 'Outcomes of recoveries').count()).toBe(3)
    const notifications = rowsOf(page, 'Outcomes of notifications')
    await expect.poll(() => notifications.count()).toBe(9)
    await expect
      .poll(() => notifications.nth(1).innerText())
      .toMatch(/pager\s+Red to pager was refused\.\s+=cmd\|<b>HTTP 503<\/b>$/)
    await page.getByText('3, open for 3 h 8 min of the period').waitFor()
    await page.getByText(/^9\d\.\d{3} %/).waitFor()
    await page.getByText(/not an SLA · by whole cells of 1 h/).waitFor()
    expect(faults).toEqual([])
  })

  it.each([
    ['2026-02-10T00:00:00Z', 'soon', 'The address has no valid period.'],
    ['2026-02-10T00:00:00Z', '2026-02-09T00:00:00Z', 'The period ends before it begins.'],
  ])('from %s to %s says what is wrong and offers a period', { tags: 'long' }, async (from, to, why) => {
    await using page = await service.open(`/monitors/1/report?${new URLSearchParams({ from, to })}`)
    await page.getByText(why).waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    await page.getByRole('button', { name: 'The last 7 d' }).click()
    await rowsOf(page, 'Incidents in the period').first().waitFor()
  })

  it('without a period is of the last week, and its address says so', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors/1/report')
    await page.waitForURL(/\?from=.*&to=/)
    await rowsOf(page, 'Incidents in the period').nth(1).waitFor()
  })

  it('says what it cannot know: events that are not kept, and a period that is not over', {
    tags: 'long',
  }, async () => {
    await using page = await service.emptyPage()
    const to = wireTime(Date.now() + dayMs)
    await page.goto(
      `${service.url}/monitors/1/report?${new URLSearchParams({ from: wireTime(Date.now() - 50 * dayMs), to })}`,
    )
    await page.getByText(/^Events are kept for 30 days: what happened before .* is not known\.$/).waitFor()
    await page.getByText(/^The period is not over/).waitFor()
    await page.goto(`${service.url}${reportOf(2, 1)}`)
    await page.getByText('No incident was open.').waitFor()
    await page.getByText('There were no manual actions.').waitFor()
  })

  it('takes no mouse: another period by keyboard', { tags: 'long' }, async () => {
    await using page = await service.open(reportOf(1, 1))
    await rowsOf(page, 'Incidents in the period').first().waitFor()
    await page
      .getByRole('textbox', { name: 'From' })
      .or(page.getByLabel('From'))
      .first()
      .fill('2020-01-01T00:00')
    await page.getByLabel('To', { exact: true }).fill('2019-01-01T00:00')
    await page.keyboard.press('Enter')
    await page.getByText('The period has to end after it begins.').waitFor()
    await page.getByLabel('To', { exact: true }).fill('2020-02-01T00:00')
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=2020-01-01|from=2019-12-31/)
    await page.getByText('No incident was open.').waitFor()
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    it('has no fault, wide, narrow and enlarged', { tags: 'long' }, async () => {
      await using page = await service.open(reportOf(1, 29), { colorScheme })
      await rowsOf(page, 'Incidents in the period').first().waitFor()
      expect(await violationsOf(page, { others: colorScheme === 'light' })).toEqual([])
      for (const viewport of [
        { width: 360, height: 740 },
        { width: 640, height: 450 },
      ]) {
        await page.setViewportSize(viewport)
        expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
        if (colorScheme === 'light') expect(await violationsOf(page, { contrast: false })).toEqual([])
      }
    })

    it('is black on white on paper, without navigation, and cuts no row', { tags: 'long' }, async () => {
      await using page = await service.open(reportOf(1, 29), { colorScheme })
      await page.evaluate(() => {
        document.documentElement.dataset['theme'] = 'dark'
      })
      await rowsOf(page, 'Incidents in the period').first().waitFor()
      // The width of A4 within its margins.
      await page.setViewportSize({ width: 688, height: 1_000 })
      await page.emulateMedia({ media: 'print' })
      const paper = await page.evaluate(() => {
        const root = getComputedStyle(document.documentElement)
        const seen = (selector: string) =>
          [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility()).length
        const rows = [...document.querySelectorAll('tr')]
        return {
          colors: [root.backgroundColor, root.color],
          controls: seen('nav, button, input, select, summary'),
          cutRows: rows.filter((row) => getComputedStyle(row).breakInside !== 'avoid').length,
          heads: [...document.querySelectorAll('thead')].filter(
            (head) => getComputedStyle(head).display !== 'table-header-group',
          ).length,
          clipped: [...document.querySelectorAll('main *')].filter(
            (element) =>
              element.querySelector('table') !== null && getComputedStyle(element).overflowX !== 'visible',
          ).length,
          wide: rows.filter((row) => row.getBoundingClientRect().right > innerWidth + 1).length,
        }
      })
      expect(paper).toEqual({
        colors: ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'],
        controls: 0,
        cutRows: 0,
        heads: 0,
        clipped: 0,
        wide: 0,
      })
      const pdf = await page.pdf({ format: 'A4' })
      // Thirty-nine steps and more do not fit one page; a report that is clipped would.
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(1)
    })
  })
})

describeInBrowser('the history on the page of a monitor', () => {
  it('has its page in the address, and a way out of one that is not kept', { tags: 'long' }, async () => {
    await using service = await ServiceWithPage.start('candidate', {
      before: (directory) => writePast(directory, ['checkout']),
    })
    await using page = await service.emptyPage()
    // As if a page held few events.
    await page.route(/\/history\?monitor_id=checkout&order=desc&limit=100/, (route) =>
      route.continue({ url: route.request().url().replace('limit=100', 'limit=10') }),
    )
    await page.goto(`${service.url}/monitors/1`)
    const panel = page.getByRole('region', { name: 'What happened' })
    await panel.getByRole('button', { name: 'Older' }).click()
    await page.waitForURL(/\?older=/)
    await panel.getByRole('button', { name: 'Newest' }).waitFor()
    await page.reload()
    await panel.getByRole('button', { name: 'Newest' }).click()
    await page.waitForURL(`${service.url}/monitors/1`)
    await page.goBack()
    await panel.getByRole('button', { name: 'Newest' }).waitFor()
    await page.goto(`${service.url}/monitors/1?older=foreign`)
    await panel.getByText('The history is not available.').waitFor()
    await panel.getByRole('button', { name: 'Newest' }).click()
    await panel
      .getByText(/^Incident, /)
      .first()
      .waitFor()
  })
})

describeInBrowser('an edition that keeps nothing', () => {
  it('has no report, and no link to one', { tags: 'long' }, async () => {
    await using service = await ServiceWithPage.start('main')
    await using page = await service.open('/monitors?q=Search')
    await page.getByRole('link', { name: 'Search' }).click()
    await page.getByRole('region', { name: 'Check', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Incident report' }).count()).toBe(0)
    await page.goto(`${page.url()}/report`)
    await page.getByText('There is no report: this edition keeps no history.').waitFor()
  })
})
