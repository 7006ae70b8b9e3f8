// Trends over a store that holds ninety days: every window in both themes, wide, narrow and enlarged, by keyboard, as a
// table and as CSV; and what is shown where nothing is kept.
import { text } from 'node:stream/consumers'
import type { Trend } from '@pulseward/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { enlarged, faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { inBothThemes } from './themes.ts'
import { writePast } from './written-past.ts'

const formula = '=HYPERLINK("http://evil")<img src=x onerror=alert(1)>'
const windows = ['1h', '6h', '24h', '7d', '30d', '90d'] as const
const cells = { '1h': 60, '6h': 360, '24h': 288, '7d': 168, '30d': 720, '90d': 90 } as const

const panelOf = (page: Page) => page.getByRole('region', { name: 'Availability and latency', exact: true })
const fleetPanelOf = (page: Page) =>
  page.getByRole('region', { name: 'Availability and latency of the fleet' })

/** To the end of the page, which moves down while what stands above it is still loading. */
async function scrollUntil(page: Page, isReached: () => boolean | Promise<boolean>): Promise<void> {
  const scroll = async () => {
    // Not by the wheel: what lies under the pointer may keep it, and the browser may never say that it was turned.
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
    return isReached()
  }
  await expect.poll(scroll).toBe(true)
}

async function trendOf(service: ServiceWithPage, path: string): Promise<Trend> {
  return (await fetch(`${service.url}/api/v1/${path}`)).json() as Promise<Trend>
}

async function drawnIn(panel: ReturnType<typeof panelOf>, charts: number): Promise<void> {
  await panel
    .locator('canvas')
    .nth(charts - 1)
    .waitFor()
}

const cursorIn = (panel: ReturnType<typeof panelOf>) =>
  panel.getByRole('slider', { name: 'Time in the chart' })

/** A finger, which the browser itself turns into events, scrolling and taps. */
async function dragByTouch(page: Page, from: Point, to: Point): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: [...points] })
  await touch('touchStart', [from])
  for (const part of [0.25, 0.5, 0.75, 1])
    await touch('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }])
  await touch('touchEnd', [])
}

interface Point {
  readonly x: number
  readonly y: number
}

describeInBrowser('trends', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate', {
      before: (directory) => writePast(directory, ['checkout', 'search', 'hostile']),
      fleet: (target) => {
        target.mends('/checkout')
        const fleet = target.fleet(0) as { monitors: { id: string; name: string; maintenance?: object[] }[] }
        fleet.monitors[0]!.maintenance = [{ cron: '0 3 * * *', duration: '2h' }]
        fleet.monitors[2]!.name = formula
        return fleet
      },
    })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  inBothThemes((colorScheme) => {
    const shown = 'of a monitor show %s without a fault'
    it.each(['24h', '90d'] as const)(shown, showsWithoutFault)
    it.each(['7d', '30d'] as const)(shown, { tags: 'long' }, showsWithoutFault)

    async function showsWithoutFault(window: (typeof windows)[number]): Promise<void> {
      await using page = await service.emptyPage({ colorScheme })
      const faults = faultsOf(page)
      await page.goto(`${service.url}/monitors/1?window=${window}`)
      const panel = panelOf(page)
      await drawnIn(panel, 2)
      await panel.getByRole('img', { name: /samples in the last .* were healthy\. The lowest was/ }).waitFor()
      await panel.getByRole('img', { name: /^Latency of healthy checks in the last/ }).waitFor()
      await panel.getByText('not an SLA').waitFor()
      await panel.getByText(/^No data in \d+ of \d+ cells of /).waitFor()
      await panel.getByText('Incident', { exact: true }).first().waitFor()
      await panel.getByText('Maintenance', { exact: true }).first().waitFor()
      await expect
        .poll(() => panel.getByText('Incidents are known for the last 30 d only.').count())
        .toBe(window === '90d' ? 1 : 0)
      expect(await page.getByText('since you opened this page').count()).toBe(0)
      expect(await violationsOf(page, { others: colorScheme === 'light' })).toEqual([])
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
      if (colorScheme === 'light') expect(await violationsOf(page, { contrast: false })).toEqual([])
      expect(faults).toEqual([])
    }

    it('of the fleet are read when they come into view, and are without a fault', async () => {
      await using page = await service.emptyPage({ colorScheme, viewport: { width: 1280, height: 300 } })
      const faults = faultsOf(page)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goto(`${service.url}/?window=7d`)
      await page.getByRole('region', { name: 'Monitors' }).locator('canvas').first().waitFor()
      const costly = () =>
        asked.filter((path) => /\/assets\/(plot|fleet-trend)-.*js$|\/v1\/trend$/.test(path))
      expect(costly()).toEqual([])
      await scrollUntil(page, async () => (await fleetPanelOf(page).count()) > 0)
      await drawnIn(fleetPanelOf(page), 3)
      expect(costly()).toHaveLength(3)
      await fleetPanelOf(page)
        .getByRole('img', { name: /open at once in the last 7 days/ })
        .waitFor()
      expect(await violationsOf(page, { others: colorScheme === 'light' })).toEqual([])
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
      expect(faults).toEqual([])
    })
  })

  it('fit a page that is enlarged to 200 %', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors/1?window=7d&table=open', enlarged)
    await drawnIn(panelOf(page), 2)
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
  })

  it('have their window in the address: links, reloads, Back and Forward show the same', {
    tags: 'long',
  }, async () => {
    await using page = await service.open('/monitors/1')
    const chosen = (name: string) => panelOf(page).getByRole('radio', { name, checked: true })
    await chosen('24 h').waitFor()
    await panelOf(page).getByRole('radio', { name: '30 d' }).check()
    await page.waitForURL(`${service.url}/monitors/1?window=30d`)
    await panelOf(page).getByRole('radio', { name: '90 d' }).check()
    await page.waitForURL(`${service.url}/monitors/1?window=90d`)
    await page.goBack()
    await chosen('30 d').waitFor()
    await panelOf(page)
      .getByRole('img', { name: /in the last 30 days were healthy/ })
      .waitFor()
    await page.goForward()
    await chosen('90 d').waitFor()
    await page.reload()
    await panelOf(page)
      .getByRole('img', { name: /in the last 90 days were healthy/ })
      .waitFor()
    await panelOf(page).getByRole('radio', { name: '24 h' }).check()
    await page.waitForURL(`${service.url}/monitors/1?window=24h`)
    await page.goto(`${service.url}/monitors/1?window=%3Cscript%3E`)
    await chosen('24 h').waitFor()
  })

  it('take no mouse: the window by arrow keys, the table by Enter', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors/1')
    await panelOf(page).getByRole('radio', { name: '24 h' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(`${service.url}/monitors/1?window=7d`)
    await panelOf(page)
      .getByRole('radio', { name: '7 d', checked: true })
      .and(page.locator(':focus'))
      .waitFor()
    // Tab goes to what is there: not to a button that comes with the first trend.
    await panelOf(page).getByRole('button', { name: 'CSV' }).waitFor()
    await page.keyboard.press('Tab')
    await cursorIn(panelOf(page)).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await panelOf(page).getByRole('button', { name: 'Look closer' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await panelOf(page).getByRole('button', { name: 'CSV' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await panelOf(page)
      .getByRole('table', { name: /^Availability and latency of the last 7 days/ })
      .waitFor()
    expect(new URL(page.url()).search).toBe('?window=7d&table=open')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.url}/monitors/1?window=7d`)
    await panelOf(page).getByRole('table').waitFor({ state: 'detached' })
  })

  it('show a part that is dragged over, in cells of a minute where there are some, and all of it again', async () => {
    await using page = await service.open('/monitors/1?window=24h')
    const faults = faultsOf(page)
    const panel = panelOf(page)
    await drawnIn(panel, 2)
    const plot = (await panel.locator('.u-over').first().boundingBox())!
    const y = plot.y + plot.height / 2
    // The last two of 24 hours.
    await page.mouse.move(plot.x + plot.width * (22 / 24), y)
    await page.mouse.down()
    await page.mouse.move(plot.x + plot.width * (23 / 24), y, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/\?window=6h&zoom=\d+-\d+&whole=24h$/)
    await panel.getByRole('radio', { name: '6 h', checked: true }).waitFor()
    const drawn = panel.getByRole('img', { name: /samples in the last 6 hours were healthy/ })
    await drawn.waitFor()
    const address = page.url()
    await page.reload()
    await panel.getByRole('button', { name: 'Show all' }).waitFor()
    expect(page.url()).toBe(address)
    await panel.getByText('As a table').click()
    const rows = panel.getByRole('table', { name: /by 1 min$/ }).locator('tbody tr')
    // An hour and what its ends touch.
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(55)
    expect(await rows.count()).toBeLessThanOrEqual(70)
    await panel.getByRole('button', { name: 'Show all' }).click()
    // The window in which it began, not the one with finer cells.
    await page.waitForURL(/\?window=24h&table=open$/)
    await panel.getByRole('table', { name: /by 5 min$/ }).waitFor()
    expect(faults).toEqual([])
  })

  it('show the part that the keys of the chart mark, say what it holds, and all of it again', {
    tags: 'long',
  }, async () => {
    await using page = await service.open('/monitors/1?window=24h')
    const faults = faultsOf(page)
    const panel = panelOf(page)
    await drawnIn(panel, 2)
    const cursor = cursorIn(panel)
    await cursor.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => cursor.getAttribute('aria-valuetext')).toMatch(/^\d.* · /)
    await panel.getByText('Esc shows all again').waitFor()
    expect(await violationsOf(page, { contrast: false })).toEqual([])
    // Two steps of a tenth of the day.
    await page.keyboard.press('Shift+PageUp')
    await page.keyboard.press('Shift+PageUp')
    await expect.poll(() => cursor.getAttribute('aria-valuetext')).toMatch(/^Marked up to /)
    await expect
      .poll(() =>
        panel
          .locator('.u-select')
          .first()
          .evaluate((mark) => mark.clientWidth),
      )
      .toBeGreaterThan(50)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\?window=24h&zoom=\d+-\d+$/)
    const [, from, to] = /zoom=(\d+)-(\d+)/.exec(page.url())!
    // 58 cells of five minutes, with both ends.
    expect(Number(to) - Number(from)).toBe(59 * 300)
    await cursor.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(`${service.url}/monitors/1?window=24h`)
    // Without a mark, Enter looks closer at the time of the pointer.
    await page.keyboard.press('Enter')
    await page.waitForURL(/zoom=/)
    expect(faults).toEqual([])
  })

  it('show the part that a finger drags over, scroll by the same finger, and show all again by thumb', {
    tags: 'long',
  }, async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    await using page = await service.open('/monitors/1?window=24h', phone)
    const faults = faultsOf(page)
    const panel = panelOf(page)
    await drawnIn(panel, 2)
    const plot = panel.locator('.u-over').first()
    await plot.scrollIntoViewIfNeeded()
    const box = (await plot.boundingBox())!
    const at = (share: number) => ({ x: box.x + box.width * share, y: box.y + box.height / 2 })
    await dragByTouch(page, at(0.5), { ...at(0.5), y: at(0.5).y - 60 })
    await expect.poll(async () => (await plot.boundingBox())!.y).toBeLessThan(box.y)
    expect(new URL(page.url()).search).toBe('?window=24h')
    await plot.scrollIntoViewIfNeeded()
    const again = (await plot.boundingBox())!
    const y = again.y + again.height / 2
    await dragByTouch(page, { x: at(0.3).x, y }, { x: at(0.6).x, y })
    await page.waitForURL(/zoom=/)
    const all = panel.getByRole('button', { name: 'Show all' })
    await all.waitFor()
    const reach = (await all.boundingBox())!
    expect(Math.min(reach.width, reach.height)).toBeGreaterThanOrEqual(44)
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    // While the page still glides, a tap only stops it: the next one counts.
    const tapped = async () => {
      await all.tap({ timeout: 5_000 }).catch(() => undefined)
      return page.url()
    }
    await expect.poll(tapped).toBe(`${service.url}/monitors/1?window=24h`)
    expect(faults).toEqual([])
  })

  it('are looked at closer without a mouse', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors/1?window=6h')
    const panel = panelOf(page)
    await drawnIn(panel, 2)
    await panel.getByRole('button', { name: 'Look closer' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/zoom=/)
    const first = page.url()
    await panel.getByRole('button', { name: 'Earlier' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).not.toBe(first)
    await page.goBack()
    await expect.poll(() => page.url()).toBe(first)
    await panel.getByRole('button', { name: 'Show all' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.url}/monitors/1?window=6h`)
  })

  it.each(windows)(
    'have every figure of %s in a table, with a dash where nothing is known',
    { tags: 'long' },
    async (window) => {
      await using page = await service.open(`/monitors/1?window=${window}&table=open`)
      const table = panelOf(page).getByRole('table', { name: /^Availability and latency/ })
      await table.waitFor()
      const trend = await trendOf(service, `monitors/1/trend?window=${window}`)
      const rows = await table.locator('tbody tr').allInnerTexts()
      expect(rows).toHaveLength(cells[window])
      const known = rows.filter((row) => !/–\s+–\s+–\s+–$/.test(row))
      // The present cell may have been empty when the page read it.
      expect(Math.abs(known.length - trend.cells.length)).toBeLessThanOrEqual(1)
      const spans = panelOf(page).getByRole('table', { name: 'Incidents and maintenance in that time' })
      await expect
        .poll(() => spans.getByText('Incident', { exact: true }).count())
        .toBe(trend.incidents.length)
      // The windows of the other end of the service's cell may lie outside what is drawn.
      await expect
        .poll(() => spans.getByText('Maintenance', { exact: true }).count())
        .toBe(trend.maintenance!.length)
    },
  )

  it('are saved as CSV as they are drawn, and a name in it does not run', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors/3?window=90d')
    const faults = faultsOf(page)
    await page.getByRole('heading', { level: 1, name: formula }).waitFor()
    await drawnIn(panelOf(page), 2)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panelOf(page).getByRole('button', { name: 'CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^trend-monitor-3-90d-\d{4}-\d{2}-\d{2}\.csv$/)
    const [heading, ...lines] = (await text(await download.createReadStream())).trimEnd().split('\r\n')
    expect(heading).toBe('monitor_id,name,kind,from,to,samples,healthy,availability_percent,p50_ms,p95_ms')
    expect(lines.filter((line) => line.includes('"cell"'))).toHaveLength(90)
    const name = `"'${formula.replaceAll('"', '""')}"`
    for (const line of lines) expect(line.startsWith(`"hostile",${name},`)).toBe(true)
    const { cells: told } = await trendOf(service, 'monitors/3/trend?window=90d')
    // The last one is being filled.
    for (const { at, samples, healthy } of told.slice(0, -1))
      expect(
        lines.some((line) => line.includes(`"cell","${at}"`) && line.includes(`",${samples},${healthy},`)),
      ).toBe(true)
    const empty = lines.filter((line) => line.endsWith(',,,,,'))
    expect(Math.abs(empty.length - (90 - told.length))).toBeLessThanOrEqual(1)
    expect(faults).toEqual([])
  })

  it('are unavailable, and not empty, when they cannot be read', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors/2?window=7d')
    await drawnIn(panelOf(page), 2)
    await page.route('**/trend?window=30d', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'unavailable', detail: 'Trends cannot be read now.', status: 503 }),
      }),
    )
    await panelOf(page).getByRole('radio', { name: '30 d' }).check()
    await panelOf(page).getByText('The trend is not available. Trends cannot be read now.').waitFor()
    expect(await panelOf(page).locator('canvas').count()).toBe(0)
  })
})

describeInBrowser('where no trends are kept', () => {
  it('a monitor shows the latency since the page was opened, and why (main)', { tags: 'long' }, async () => {
    await using service = await ServiceWithPage.start('main')
    await using page = await service.emptyPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${service.url}/monitors?q=Search`)
    await page.getByRole('link', { name: 'Search' }).click()
    const panel = page.getByRole('region', { name: 'Latency' })
    await panel.getByText('since you opened this page').waitFor()
    await panel.getByText('There are no trends: this edition keeps no history.').waitFor()
    await panel
      .getByRole('img', { name: /latencies between/ })
      .locator('canvas')
      .waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
    expect(asked.filter((url) => /\/api\/.*trend/.test(url))).toEqual([])
    let isRefused = false
    page.on('response', (response) => {
      isRefused ||= response.url().endsWith('/api/v1/trend?window=24h') && !response.ok()
    })
    await page.goto(`${service.url}/`)
    await scrollUntil(page, () => isRefused)
    await expect.poll(() => fleetPanelOf(page).count()).toBe(0)
  })

  it('a monitor shows the same, and that the setting may be off (candidate)', { tags: 'long' }, async () => {
    await using service = await ServiceWithPage.start('candidate', {
      environment: { PULSEWARD_TRENDS: 'off' },
    })
    await using page = await service.open('/monitors/2')
    const panel = page.getByRole('region', { name: 'Latency' })
    await panel.getByText(/nothing was counted in the last 24 hours\. Trends are off/).waitFor()
    await panel
      .getByRole('img', { name: /latencies between/ })
      .locator('canvas')
      .waitFor()
    await panel.getByRole('radio', { name: '7 d' }).check()
    await panel.getByText(/nothing was counted in the last 7 days/).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })
})
