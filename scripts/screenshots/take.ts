// scripts/screenshots/take.ts: takes pictures of views of one running service, each in the themes and widths that it names.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'

const widths = [1440, 390] as const
const themes = ['light', 'dark'] as const
const heights = { 1440: 930, 390: 844 } as const

/** A theme and a width, in pixels. */
export type Mode = `${(typeof themes)[number]}-${(typeof widths)[number]}`

export interface View {
  readonly path: string
  /** One picture each: those that show what the others do not. */
  readonly modes: readonly Mode[]
  /** What a person does before the picture. */
  readonly pose?: (page: Page) => Promise<void>
  /** A sheet of paper in place of the screen. */
  readonly onPaper?: boolean
}

export type Views = Readonly<Record<string, View>>

const folder = join(import.meta.dirname, '../../docs/screenshots')
/** As wide as A4 without its margins. */
const paper = { width: 688, height: 973 }
/** Time for charts to be drawn and data to be loaded. */
const lookMs = 1_500

/** For the page: whether each strip in sight shows the last hours. */
const stripsAreKnown = `[...document.querySelectorAll('canvas[data-monitor]')]
  .filter((strip) => strip.getBoundingClientRect().top < innerHeight)
  .every((strip) => !strip.getAttribute('aria-label')?.includes('not known yet'))`

/** Asked from outside: the page's own policy forbids the polling of a text that it would have to evaluate. */
async function untilStripsAreKnown(page: Page): Promise<void> {
  for (let looks = 0; looks < 300; looks++) {
    if (await page.evaluate(stripsAreKnown)) return
    await wait(100)
  }
  throw new Error('Strips in sight are still not known after half a minute.')
}

export interface Sitting {
  readonly browser: Browser
  readonly url: string
  /** What a new page does first, such as signing in. */
  readonly enter?: (page: Page) => Promise<void>
}

export async function takeAll({ browser, url, enter }: Sitting, views: Views): Promise<void> {
  for (const colorScheme of themes)
    for (const width of widths) {
      const mode: Mode = `${colorScheme}-${width}`
      const wanted = Object.entries(views).filter(([, { modes }]) => modes.includes(mode))
      if (wanted.length === 0) continue
      const viewport = { width, height: heights[width] }
      await using page = await browser.newPage({ viewport, colorScheme })
      await enter?.(page)
      for (const [name, { path, pose, onPaper = false }] of wanted) {
        await page.setViewportSize(onPaper ? paper : viewport)
        await page.emulateMedia({ media: onPaper ? 'print' : null })
        await page.goto(url + path)
        await page.locator('h1').waitFor()
        await pose?.(page)
        await untilStripsAreKnown(page)
        await wait(lookMs)
        const file = onPaper ? `${name}-on-paper` : `${name}-${mode}`
        await page.screenshot({ path: join(folder, `${file}.png`) })
      }
    }
}
