// scripts/screenshots.ts: every view of the dashboard over the demo fleet, in both themes, on a desk and on a phone, into
// docs/screenshots: `npm run screenshots`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { RunningCommand } from '@pulseward/testing/process'
import type { Browser } from 'playwright-core'
import { launchBrowser, noBrowserReason } from '../e2e/browser.ts'
import { runCommand } from './command-line/command.ts'

const folder = join(import.meta.dirname, '../docs/screenshots')
const themes = ['light', 'dark'] as const
const sizes = [
  { width: 1440, height: 930 },
  { width: 390, height: 844 },
]
/** So long the fleet lives before the first picture: incidents have opened and some have closed. */
const lifeMs = 75_000
/** Latency is collected while one looks. */
const lookMs = { monitor: 25_000, other: 1_500 }

const about = 'Takes pictures of every view of the dashboard over the demo fleet, into docs/screenshots.'
await runCommand({ call: 'npm run screenshots --', about, flags: {} }, async () => {
  if (noBrowserReason !== null) {
    process.stderr.write(`No screenshots: ${noBrowserReason}.\n`)
    process.exitCode = 1
    return
  }
  mkdirSync(folder, { recursive: true })
  await using command = new RunningCommand(['demo', '--monitors', '500', '--listen', '127.0.0.1:0'])
  const [, url] = await command.until('stdout', /^Pulseward +(http:\S+)$/m)
  const browser = await launchBrowser()
  try {
    await wait(lifeMs)
    await takeAll(browser, url!)
  } finally {
    await browser.close()
    // Asked, not killed: the demo takes its folder with it.
    command.signal('SIGTERM')
    await command.ended
  }
})

async function takeAll(browser: Browser, url: string): Promise<void> {
  const views = {
    overview: '/',
    monitors: '/monitors',
    monitor: await pathOfTrouble(url),
    alerts: '/alerts',
    system: '/system',
    settings: '/settings',
  }
  for (const colorScheme of themes)
    for (const viewport of sizes) {
      const page = await browser.newPage({ viewport, colorScheme })
      for (const [name, path] of Object.entries(views)) {
        await page.goto(url + path)
        await page.locator('h1').waitFor()
        await wait(name === 'monitor' ? lookMs.monitor : lookMs.other)
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${viewport.width}.png`) })
      }
      await page.close()
    }
}

/** A monitor that has something to tell. */
async function pathOfTrouble(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/incidents?size=1`)
  const { incidents } = (await answer.json()) as { readonly incidents: readonly { readonly id: number }[] }
  return `/monitors/${incidents[0]?.id ?? 1}`
}
