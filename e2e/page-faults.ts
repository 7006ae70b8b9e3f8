// e2e/page-faults.ts: what is wrong with a page that its text does not tell: errors of its scripts, its own policy
// broken, markup of a name that ran, and what axe finds.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeAnswer {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/** Grows while the page is used. A refusal that the page expects is not a fault. */
export function faultsOf(page: Page): readonly string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('dialog', (dialog) => faults.push(`a dialog opened: ${dialog.message()}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.push(message.text())
  })
  return faults
}

/**
 * Rule and first element of each violation. Contrast is by far the slowest rule, and a page has the same colors at every
 * width: after a change of size alone, it need not be looked at again.
 */
export async function violationsOf(page: Page, { contrast = true } = {}): Promise<readonly string[]> {
  const options = { rules: { 'color-contrast': { enabled: contrast } } }
  // Through the debugger, not as a script of the page, which its policy forbids.
  const source = `${axe}; axe.run(document, ${JSON.stringify(options)})`
  const { violations } = (await page.evaluate(source)) as AxeAnswer
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** What a window of 1280 × 900 shows of a page that is enlarged to 200 %. */
export const enlarged = { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 } as const

/** By how much the page, or a dialog on it, is wider than what is seen of it. */
export async function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate(() => {
    const dialogs = [...document.querySelectorAll('dialog[open]')]
    return Math.max(
      document.documentElement.scrollWidth - innerWidth,
      ...dialogs.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    )
  })
}
