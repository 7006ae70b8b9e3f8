// e2e/press-in-turn.ts: a sequence of keys such as `g m`. The page takes keys that are far apart for two commands, and a
// busy machine may deliver them so: they are pressed again until what they lead to is seen.
import { errors, type Locator, type Page } from 'playwright-core'

/** How long one attempt is waited for. Not a limit: pressing again where the sequence has led does no harm. */
const attemptMs = 5_000

export async function pressInTurn(page: Page, keys: string, effect: Locator): Promise<void> {
  for (;;) {
    for (const key of keys.split(' ')) await page.keyboard.press(key)
    try {
      return await effect.waitFor({ timeout: attemptMs })
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error
    }
  }
}
