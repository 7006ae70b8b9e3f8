// e2e/wrong-clock.ts: gives a browser a wrong clock, from the next page that it opens.
import type { Page } from 'playwright-core'

export const hourMs = 3_600_000

/** How far the clocks of browsers are off in tests: ahead of the service, and behind it. */
export const wrongBy = [
  ['an hour ahead', hourMs],
  ['an hour behind', -hourMs],
] as const

export async function setClockOff(page: Page, byMs: number): Promise<void> {
  await page.addInitScript((offMs) => {
    const RightDate = Date
    const now = () => RightDate.now() + offMs
    globalThis.Date = new Proxy(RightDate, {
      construct: (target, given, made) =>
        Reflect.construct(target, given.length === 0 ? [now()] : given, made),
      apply: () => new RightDate(now()).toString(),
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    })
  }, byMs)
}
