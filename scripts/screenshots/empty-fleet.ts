// scripts/screenshots/empty-fleet.ts: the first views of a new user: the sign-in form, and a fleet without monitors.
import type { Browser } from 'playwright-core'
import { NextService } from './next-service.ts'
import { takeAll, type Views } from './take.ts'

const empty = { version: 1, monitors: [] }

const views: Views = {
  'sign-in': { path: '/', modes: ['dark-390'] },
  'first-use': { path: '/', modes: ['light-1440'] },
}

export const takeEmpty = {
  views,
  async take(browser: Browser, { 'sign-in': signIn, 'first-use': firstUse }: Views): Promise<void> {
    if (signIn !== undefined) {
      await using closed = await NextService.start(empty, 'the-token-of-the-pictures')
      await takeAll({ browser, url: closed.url }, { 'sign-in': signIn })
    }
    if (firstUse !== undefined) {
      await using open = await NextService.start(empty)
      await takeAll({ browser, url: open.url, enter: (page) => open.signIn(page) }, { 'first-use': firstUse })
    }
  },
}
