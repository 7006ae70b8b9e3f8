// scripts/screenshots/take.ts: takes pictures of views of one running service, each in both themes, for a
// desktop and a phone.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'

export interface View {
  readonly path: string
  /** What a person does before the picture. */
  readonly pose?: (page: Page) => Promise<void>
  /** Takes a single picture at its own size, instead of one per theme and width. */
  readonly takeOnce?: (page: Page, file: (name: string) => string) => Promise<void>
}

export type Views = Readonly<Record<string, View>>

const folder = join(import.meta.dirname, '../../docs/screenshots')
const themes = ['light', 'dark'] as const
const sizes = [
  { width: 1440, height: 930 },
  { width: 390, height: 844 },
]
/** Time for charts to be drawn and data to be loaded. */
const lookMs = 1_500

export interface Sitting {
  readonly browser: Browser
  readonly url: string
  /** What a new page does first, such as signing in. */
  readonly enter?: (page: Page) => Promise<void>
}

export async function takeAll({ browser, url, enter }: Sitting, views: Views): Promise<void> {
  for (const colorScheme of themes)
    for (const viewport of sizes) {
      const page = await browser.newPage({ viewport, colorScheme })
      await enter?.(page)
      for (const [name, { path, pose, takeOnce }] of Object.entries(views)) {
        const isFirst = colorScheme === themes[0] && viewport === sizes[0]
        if (takeOnce !== undefined && !isFirst) continue
        await page.goto(url + path)
        await page.locator('h1').waitFor()
        await pose?.(page)
        await wait(lookMs)
        if (takeOnce === undefined)
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${viewport.width}.png`) })
        else {
          await takeOnce(page, (ofName) => join(folder, `${ofName}.png`))
          await page.setViewportSize(viewport)
        }
      }
      await page.close()
    }
}
