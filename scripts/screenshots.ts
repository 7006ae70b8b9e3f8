// scripts/screenshots.ts: every view of the dashboard, in both themes, on a desk and on a phone, into docs/screenshots:
// `npm run screenshots`. Most are of the demo fleet; those that show a past are of a service whose store was given one.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '@pulseward/testing'
import { RunningCommand } from '@pulseward/testing/process'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowserReason } from '../e2e/browser.ts'
import { TroubledTarget } from '../e2e/troubled-fleet.ts'
import { writePast } from '../e2e/written-past.ts'
import { runCommand } from './command-line/command.ts'
import { someOf } from './command-line/flags.ts'

const folder = join(import.meta.dirname, '../docs/screenshots')
const themes = ['light', 'dark'] as const
const sizes = [
  { width: 1440, height: 930 },
  { width: 390, height: 844 },
]
/** So long the demo fleet lives before the first picture: incidents have opened and some have closed. */
const lifeMs = 75_000
const lookMs = 1_500

const ofDemo = {
  overview: '/',
  monitors: '/monitors',
  alerts: '/alerts',
  system: '/system',
  settings: '/settings',
}
const ofPast = {
  monitor: '/monitors/1?window=7d',
  quarter: '/monitors/1?window=90d',
  'fleet-trend': '/?window=30d',
  report: '/monitors/1/report',
  'report-on-paper': '/monitors/1/report',
}

type Views = Readonly<Record<string, string>>

const flags = { only: someOf('VIEW', Object.keys({ ...ofDemo, ...ofPast }), 'take these') }
const about = 'Takes pictures of every view of the dashboard, into docs/screenshots.'
await runCommand({ call: 'npm run screenshots --', about, flags }, async ({ only }) => {
  if (noBrowserReason !== null) {
    process.stderr.write(`No screenshots: ${noBrowserReason}.\n`)
    process.exitCode = 1
    return
  }
  mkdirSync(folder, { recursive: true })
  await using browser = await launchBrowser()
  const wanted = (views: Views) =>
    Object.fromEntries(Object.entries(views).filter(([name]) => only.includes(name)))
  if (Object.keys(wanted(ofDemo)).length > 0) await takeDemo(browser, wanted(ofDemo))
  if (Object.keys(wanted(ofPast)).length > 0) await takePast(browser, wanted(ofPast))
})

async function takeDemo(browser: Browser, views: Views): Promise<void> {
  await using command = new RunningCommand(['demo', '--monitors', '500', '--listen', '127.0.0.1:0'])
  const [, url] = await command.until('stdout', /^Pulseward +(http:\S+)$/m)
  await wait(lifeMs)
  await takeAll(browser, url!, views)
  // Asked, not killed: the demo takes its folder with it.
  command.signal('SIGTERM')
  await command.ended
}

async function takePast(browser: Browser, views: Views): Promise<void> {
  await using target = await TroubledTarget.start()
  target.mends('/checkout')
  target.mends('/long')
  using files = temporaryFolder({ 'fleet.json': JSON.stringify(fleetWithPast(target)) })
  await writePast(files.path('data'), ['checkout', 'search', 'basket', 'till'])
  const config = ['--config', files.path('fleet.json'), '--data', files.path('data'), '--log-level', 'error']
  await using command = new RunningCommand(['serve', '--listen', '127.0.0.1:0', ...config])
  const [, url] = await command.until('stdout', /^Pulseward +(http:\S+)$/m)
  await takeAll(browser, url!, views)
  command.signal('SIGTERM')
  await command.ended
}

function fleetWithPast(target: TroubledTarget): object {
  const { monitors, ...rest } = target.fleet() as { readonly monitors: readonly object[] }
  const named = [
    { id: 'checkout', name: 'Checkout', maintenance: [{ cron: '0 3 * * 0', duration: '3h' }] },
    { id: 'search', name: 'Search' },
    { id: 'basket', name: 'Basket' },
    { id: 'till', name: 'Till' },
  ]
  return { ...rest, monitors: named.map((parts, index) => ({ ...monitors[index], ...parts })) }
}

async function takeAll(browser: Browser, url: string, views: Views): Promise<void> {
  for (const colorScheme of themes)
    for (const viewport of sizes) {
      const page = await browser.newPage({ viewport, colorScheme })
      for (const [name, path] of Object.entries(views)) {
        // Paper is the same in both themes, and has one width.
        if (name === 'report-on-paper' && (colorScheme === 'dark' || viewport.width < 1_000)) continue
        await page.goto(url + path)
        await page.locator('h1').waitFor()
        await wait(lookMs)
        const file = join(folder, `${name}-${colorScheme}-${viewport.width}.png`)
        if (name === 'fleet-trend') await takeBottom(page, file)
        else if (name === 'report-on-paper') await takePaper(page, join(folder, `${name}.png`))
        else await page.screenshot({ path: file })
      }
      await page.close()
    }
}

/** The end of the page, which is read when it comes into view. */
async function takeBottom(page: Page, path: string): Promise<void> {
  const panel = page.getByRole('region', { name: 'Availability and latency of the fleet' })
  await page.keyboard.press('End')
  await panel.locator('canvas').nth(2).waitFor()
  await panel.scrollIntoViewIfNeeded()
  await page.keyboard.press('End')
  await wait(lookMs)
  await page.screenshot({ path })
}

/** As wide as A4 within its margins. */
async function takePaper(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ media: 'print' })
  const { width, height } = page.viewportSize() ?? sizes[0]!
  await page.setViewportSize({ width: 688, height: 973 })
  await page.screenshot({ path })
  await page.emulateMedia({ media: null })
  await page.setViewportSize({ width, height })
}
