// e2e/themes.ts: tests in both themes of the page. `npm test` runs them in the light theme only.
import { describe } from 'vitest'

export type Theme = 'light' | 'dark'

export function inBothThemes(tests: (colorScheme: Theme) => void): void {
  describe('in light', () => tests('light'))
  describe('in dark', { tags: 'long' }, () => tests('dark'))
}
