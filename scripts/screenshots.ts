// scripts/screenshots.ts: `npm run tool -- screenshots` takes a picture of every view of the dashboard, in
// both themes, for a desktop and a phone, into docs/screenshots. Most show the demo fleet; those with a
// history use a service whose store was filled, and those of people who act use the edition next.
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '@pulseward/testing'
import { RunningCommand } from '@pulseward/testing/process'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowserReason } from '../e2e/browser.ts'
import { TroubledTarget } from '../e2e/troubled-fleet.ts'
import { writePast } from '../e2e/written-past.ts'
import { buildDashboard } from './build-dashboard.ts'
import { runCommand } from './command-line/command.ts'
import { someOf } from './command-line/flags.ts'
import { takeEmpty } from './screenshots/empty-fleet.ts'
import { takeManaged } from './screenshots/managed-fleet.ts'
import { takeAll, type Views } from './screenshots/take.ts'

/** How long the demo fleet runs before the first picture: incidents have opened and some have closed. */
const lifeMs = 75_000

const ofDemo: Views = {
  overview: { path: '/' },
  monitors: { path: '/monitors' },
  alerts: { path: '/alerts' },
  system: { path: '/system' },
  settings: { path: '/settings' },
}
const ofPast: Views = {
  monitor: { path: '/monitors/1?window=7d' },
  quarter: { path: '/monitors/1?window=90d' },
  'fleet-trend': { path: '/?window=30d', pose: goToFleetTrend },
  report: { path: '/monitors/1/report' },
  'report-on-paper': { path: '/monitors/1/report', takeOnce: takePaper },
}

const groups = [{ views: ofDemo, take: takeDemo }, { views: ofPast, take: takePast }, takeEmpty, takeManaged]

const flags = {
  only: someOf(
    'VIEW',
    groups.flatMap(({ views }) => Object.keys(views)),
    'take these',
  ),
}
const about = 'Takes pictures of every view of the dashboard, into docs/screenshots.'
await runCommand({ call: 'npm run tool -- screenshots', about, flags }, async ({ only }) => {
  if (noBrowserReason !== null) {
    process.stderr.write(`No screenshots: ${noBrowserReason}.\n`)
    process.exitCode = 1
    return
  }
  buildDashboard()
  await using browser = await launchBrowser()
  for (const { views, take } of groups) {
    const wanted = Object.fromEntries(Object.entries(views).filter(([name]) => only.includes(name)))
    if (Object.keys(wanted).length > 0) await take(browser, wanted)
  }
})

async function takeDemo(browser: Browser, views: Views): Promise<void> {
  await using command = new RunningCommand(['demo', '--monitors', '500', '--listen', '127.0.0.1:0'])
  const [, url] = await command.until('stdout', /^Pulseward +(http:\S+)$/m)
  await wait(lifeMs)
  await takeAll({ browser, url: url! }, views)
  // Stopped, not killed: the demo deletes its folder.
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
  await takeAll({ browser, url: url! }, views)
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

/** Scrolls to the end of the page, where data are loaded when they come into view. */
async function goToFleetTrend(page: Page): Promise<void> {
  const panel = page.getByRole('region', { name: 'Availability and latency of the fleet' })
  await page.keyboard.press('End')
  await panel.locator('canvas').nth(2).waitFor()
  await panel.scrollIntoViewIfNeeded()
  await page.keyboard.press('End')
}

/** As wide as A4 without its margins. */
async function takePaper(page: Page, file: (name: string) => string): Promise<void> {
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 688, height: 973 })
  await page.screenshot({ path: file('report-on-paper') })
  await page.emulateMedia({ media: null })
}
