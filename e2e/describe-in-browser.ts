import { describeUnless } from '@pulseward/testing'
import { noBrowserReason } from './browser.ts'

/** Like `describe`, for tests that need a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  describeUnless(noBrowserReason, name, tests)
}

/** Like `describeInBrowser`, for tests that `npm test` leaves to `npm run test:long`. */
export function describeLongInBrowser(name: string, tests: () => void): void {
  describeUnless(noBrowserReason, name, tests, ['long'])
}
