// A browser whose clock is an hour off, ahead and behind: what is shown follows the clock of the service. Snoozing so is in
// acting.test.ts.
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { dayMs, writePast } from './written-past.ts'
import { hourMs, setClockOff, wrongBy } from './wrong-clock.ts'

const minuteMs = 60_000

/** The page may have been drawn a while before it is looked at. */
const patienceMs = 10 * minuteMs

function expectNearNow(atMs: number): void {
  expect(Math.abs(atMs - Date.now())).toBeLessThan(patienceMs)
}

function periodIn(page: Page): readonly [number, number] {
  const { searchParams } = new URL(page.url())
  return [Date.parse(searchParams.get('from') ?? ''), Date.parse(searchParams.get('to') ?? '')]
}

describeLongInBrowser('a browser whose clock is wrong', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', {
      before: (directory) => writePast(directory, ['search']),
      fleet: (target) => {
        const fleet = target.fleet() as { monitors: { id: string }[] }
        return { ...fleet, monitors: fleet.monitors.filter(({ id }) => ['search', 'checkout'].includes(id)) }
      },
    })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  describe.each(wrongBy)('by being %s', (_, byMs) => {
    const empty = async () => {
      const page = await service.emptyPage()
      await setClockOff(page, byMs)
      return page
    }
    const open = async (path: string) => {
      const page = await empty()
      await page.goto(service.url + path)
      await page.locator('h1').waitFor()
      const [now, made] = await page.evaluate(() => [Date.now(), new Date().toISOString()] as const)
      expectNearNow(now - byMs)
      expectNearNow(Date.parse(made) - byMs)
      return page
    }

    it('shows how long ago something was', async () => {
      await using page = await open('/alerts')
      const age = page
        .getByRole('region', { name: 'Open incidents' })
        .locator('li[data-incident] time')
        .first()
      // It counts up from some seconds: neither an hour nor, forever, nothing.
      await expect.poll(() => age.innerText()).toMatch(/^([3-9]|\d\d) s$|^\d+ min/)
      await page
        .locator('header')
        .getByText(/^· \d+ s ago$/)
        .waitFor()
    })

    it('shows trends up to now', async () => {
      await using page = await open('/monitors/1?window=24h')
      const panel = page.getByRole('region', { name: 'Availability and latency', exact: true })
      await panel.locator('canvas').nth(1).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        panel.getByRole('button', { name: 'CSV' }).click(),
      ])
      const lines = (await text(await download.createReadStream())).trimEnd().split('\r\n')
      const cells = lines.filter((line) => line.includes('"cell"'))
      const [from, to] = [cells[0], cells.at(-1)].map((line) => Date.parse(line?.split('","')[3] ?? ''))
      expect(to! - from!).toBe(dayMs - 5 * minuteMs)
      expectNearNow(to!)
    })

    it('gets a report of the last week, and links to one of what is looked at', async () => {
      await using page = await empty()
      // The page is there before the service has told it the time.
      const isThere = Promise.withResolvers<void>()
      await page.route('**/api/**', async (route) => {
        await isThere.promise
        await route.continue()
      })
      await page.goto(`${service.url}/monitors/1/report`)
      await page.getByRole('heading', { level: 1, name: 'Incident report' }).waitFor()
      isThere.resolve()
      await page.waitForURL(/\?from=.*&to=/)
      await page.getByRole('table', { name: 'Incidents in the period' }).waitFor()
      const [from, to] = periodIn(page)
      expect(to - from).toBe(7 * dayMs)
      expectNearNow(to)
      expect(await page.getByText('The period is not over').count()).toBe(0)
      const made = await page.getByText('Report made').locator('xpath=following::*[1]').innerText()
      expectNearNow(Date.parse(made))
      await page.getByRole('button', { name: 'The last 24 h' }).click()
      await expect.poll(() => periodIn(page)[0]).toBeGreaterThan(from)
      expectNearNow(periodIn(page)[1])
      await page.getByRole('link', { name: 'Back to the monitor' }).click()
      await page.getByRole('link', { name: 'Incident report' }).click()
      await page.waitForURL(/\/report\?from=/)
      expectNearNow(periodIn(page)[1])
    })

    it('is signed in until its token expires by the clock of the service', async () => {
      const name = byMs > 0 ? 'ada' : 'grace'
      const token = service.readerToken(name, Date.now() + hourMs / 2)
      await using page = await service.openAs(token, '/settings', {}, (opened) => setClockOff(opened, byMs))
      const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      const [answer] = await Promise.all([page.waitForResponse('**/session'), look()])
      expect(answer.status()).toBe(200)
      await page.getByRole('button', { name: `Signed in as ${name}` }).waitFor()
      service.expire(name)
      const ended = page.getByText('Your session has ended. Sign in again to act.')
      await expect
        .poll(async () => {
          await look()
          return ended.count()
        })
        .toBe(1)
    })
  })
})
