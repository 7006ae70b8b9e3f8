// e2e/browser.ts: the browser of this machine: PULSEWARD_BROWSER, or a Chromium or Chrome where it usually is, or the one
// that comes with the dependencies, if it runs here. Nothing is downloaded: without one the tests of the page are left
// out, and one line says so.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'

const usualPlaces = [
  ...[
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/opt/google/chrome/chrome',
  ],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

export const browserPath: string | null = findBrowser() ?? (await carriedBrowser())

if (browserPath === null)
  process.stdout.write(
    'No Chromium or Chrome was found (PULSEWARD_BROWSER names one): the page is not tested.\n',
  )

export function launchBrowser(): Promise<Browser> {
  if (browserPath === null) throw new Error('there is no browser')
  // A container has no sandbox of its own to give; pages are only those of the service under test.
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

function findBrowser(): string | null {
  const named = process.env['PULSEWARD_BROWSER']
  return [...(named === undefined ? [] : [named]), ...usualPlaces].find(isExecutable) ?? null
}

/** Made for servers of one kind: elsewhere it may lack libraries of the system. */
async function carriedBrowser(): Promise<string | null> {
  try {
    const { default: carried } = await import('@sparticuz/chromium')
    const path = await carried.executablePath()
    return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0 ? path : null
  } catch {
    return null
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
