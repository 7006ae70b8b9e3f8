// scripts/screenshots.ts: `npm run tool -- screenshots` takes pictures of every view of the dashboard into docs/screenshots: each
// in the themes and widths that show something of their own, so that they stay few.
import type { Browser } from 'playwright-core'
import { launchBrowser, noBrowserReason } from '../e2e/browser.ts'
import { buildDashboard } from './build-dashboard.ts'
import { runCommand } from './command-line/command.ts'
import { someOf } from './command-line/flags.ts'
import { takeLarge, takeSmall } from './screenshots/demo-fleets.ts'
import { takeEmpty } from './screenshots/empty-fleet.ts'
import { takeManaged } from './screenshots/managed-fleet.ts'
import { takeOnCall } from './screenshots/on-call-fleet.ts'
import { takeStatusPages } from './screenshots/status-fleet.ts'
import type { Views } from './screenshots/take.ts'

interface Group {
  readonly views: Views
  readonly take: (browser: Browser, wanted: Views) => Promise<void>
}

const groups: readonly Group[] = [takeSmall, takeLarge, takeEmpty, takeManaged, takeOnCall, takeStatusPages]

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
