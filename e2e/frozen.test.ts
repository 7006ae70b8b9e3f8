// A service that freezes: it refuses nothing and answers nothing. The page says within seconds that it waits, and then
// since when nothing is known. The clock of the page is moved; no test waits.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { faultsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const everyMs = 2_000

/** The event stream beats only when the test says so. */
async function withBeatsOfTest(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript((every_ms) => {
    class Stream extends EventTarget {
      static readonly CLOSED = 2
      readonly readyState = 1
      constructor() {
        super()
        Reflect.set(globalThis, 'beat', () =>
          this.dispatchEvent(new MessageEvent('beat', { data: JSON.stringify({ every_ms }) })),
        )
      }
      close(): void {}
    }
    Reflect.set(globalThis, 'EventSource', Stream)
  }, everyMs)
  return () => page.evaluate(() => Reflect.get(globalThis, 'beat')())
}

/** On a busy machine a second may pass between the question for the time and the pause; by then the clock stands still. */
async function pauseClock(page: Page): Promise<void> {
  const pause = async () => page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 1_000))
  await pause().catch((error: Error) => {
    if (!error.message.includes('to the past')) throw error
    return pause()
  })
}

describeInBrowser('a frozen service', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('is amber after two missed beats, and not known since the last sign of life after five', async () => {
    const page = await service.emptyPage()
    const faults = faultsOf(page)
    const beat = await withBeatsOfTest(page)
    await page.clock.install()
    await page.goto(service.url)
    const bar = page.getByRole('banner')
    const lost = page.getByRole('status').filter({ hasText: 'The state of the fleet is not known since' })
    await expect.poll(() => bar.innerText()).toMatch(/Live/)
    await page.getByRole('heading', { level: 1, name: /up\./ }).waitFor()

    await page.route('**/api/**', () => {})
    await pauseClock(page)
    await beat()
    await page.clock.runFor(2 * everyMs)
    expect(await bar.innerText()).toMatch(/Live/)
    await page.clock.runFor(everyMs)
    await expect.poll(() => bar.innerText()).toMatch(/Waiting/)
    expect(await lost.count()).toBe(0)
    await page.clock.runFor(3 * everyMs)
    await lost.waitFor()
    await expect.poll(() => bar.innerText()).toMatch(/No answer/)
    await page.getByRole('heading', { level: 1, name: /ago, .* (was|were) up/ }).waitFor()

    await beat()
    await expect.poll(() => bar.innerText()).toMatch(/Live/)
    await lost.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.close()
  })
})
