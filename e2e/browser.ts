// e2e/browser.ts: the browser of this machine: PULSEWARD_BROWSER, or a Chromium or Chrome where it usually is. Nothing is
// downloaded: without one the tests of the page are left out, and one line says so.
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

export const browserPath: string | null = findBrowser()

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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
