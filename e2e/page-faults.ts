// e2e/page-faults.ts: faults of a page that its text does not show: script errors, violations of its own
// policy, markup of a name that was executed, and the findings of axe.
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

interface Rules {
  /** By far the slowest rule. A page has the same colors at every width, so a change of size needs no second run. */
  readonly contrast?: boolean
  /** The rules that do not depend on the theme. */
  readonly others?: boolean
}

const ofTheme = ['color-contrast', 'link-in-text-block']

/** Rule and first element of each violation. */
export async function violationsOf(
  page: Page,
  { contrast = true, others = true }: Rules = {},
): Promise<readonly string[]> {
  const options = others
    ? { rules: { 'color-contrast': { enabled: contrast } } }
    : { runOnly: { type: 'rule', values: ofTheme } }
  // Through the debugger, not as a script of the page, which its policy forbids.
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(axe)
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeAnswer
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** What a window of 1280 × 900 shows of a page that is enlarged to 200 %. */
export const enlarged = { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 } as const

/** How much wider the page, or a dialog on it, is than its visible part. */
export async function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate(() => {
    const dialogs = [...document.querySelectorAll('dialog[open]')]
    return Math.max(
      document.documentElement.scrollWidth - innerWidth,
      ...dialogs.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    )
  })
}

/**
 * The faults of a page in both themes, on a phone and enlarged to 200 %, which is how it is left. Colors are
 * checked once in each theme, everything else once in each size.
 */
export async function smallPageFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = []
  for (const viewport of [{ width: 360, height: 740 }, enlarged.viewport]) {
    await page.setViewportSize(viewport)
    const found = [...(await violationsOf(page, { contrast: false }))]
    const sideways = await sidewaysPixels(page)
    if (sideways > 0) found.push(`${sideways} pixels are to the right of what is seen`)
    faults.push(...found.map((words) => `${viewport.width} pixels wide: ${words}`))
  }
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    faults.push(...(await violationsOf(page, { others: false })).map((words) => `${colorScheme}: ${words}`))
  }
  return faults
}
