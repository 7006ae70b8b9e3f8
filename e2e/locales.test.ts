// Every view in browsers of many languages and time zones, among them some whose language is none that Intl knows. The
// page is in English, and so are its numbers and dates, whatever the browser is set to.
import { afterAll, beforeAll, describe, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { faultsOf } from './page-faults.ts'
import { patienceMs, ServiceWithPage } from './service-with-page.ts'

const languages = ['C', 'en-US@posix', 'ar-EG', 'de-DE', 'hi-IN']
const zones = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati', 'Antarctica/Troll']

const views = {
  '/': 'Fleet by status',
  '/monitors': '1–100 of 124 monitors',
  '/alerts': 'Open incidents',
  '/system': 'Stages of the controller',
  '/settings': 'Appearance',
}

describeLongInBrowser('the page', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  describe.concurrent.each(languages)('in a browser whose language is %s', (language) => {
    it('shows every view without an exception, in English numbers and dates', async ({ expect }) => {
      await using browser = await launchBrowser(`--lang=${language}`)
      await using page = await browser.newPage()
      page.setDefaultTimeout(patienceMs)
      // Whatever this build of the browser makes of the flag, the page is told exactly this language.
      await page.addInitScript((told) => {
        Object.defineProperty(Navigator.prototype, 'language', { get: () => told })
        Object.defineProperty(Navigator.prototype, 'languages', { get: () => [told] })
      }, language)
      const faults = faultsOf(page)
      for (const [path, words] of Object.entries(views)) {
        await page.goto(`${service.url}${path}`)
        await page.getByRole('main').getByText(words).first().waitFor()
      }
      await page.goto(`${service.url}/monitors?q=Checkout`)
      await page.getByRole('link', { name: 'Checkout' }).click()
      const chart = page.getByRole('img', { name: /samples in the last/ })
      await chart.locator('canvas').waitFor()
      expect(await page.evaluate(() => navigator.language)).toBe(language)
      // Digits of another script, or a comma for a point, would not match.
      await expect
        .poll(() => chart.getAttribute('aria-label'))
        .toMatch(/^[\d.]+ % of \d+ samples? in the last (hour|\d+ hours) /)
      expect(await page.getByRole('main').innerText()).not.toMatch(/\p{Script=Arabic}|\p{Script=Devanagari}/u)
      expect(faults).toEqual([])
    })
  })

  it.concurrent.for(zones)('shows the times of %s', async (timezoneId, { expect }) => {
    await using page = await service.open('/system', { timezoneId })
    const faults = faultsOf(page)
    await page.locator('canvas').first().waitFor()
    await page.goto(`${service.url}/settings`)
    const started = page.getByRole('region', { name: 'Service' }).locator('time').last()
    const at = new Date((await started.getAttribute('datetime'))!)
    await expect
      .poll(() => started.innerText())
      .toContain(at.toLocaleTimeString('en-GB', { timeZone: timezoneId }))
    expect(faults).toEqual([])
  })
})
