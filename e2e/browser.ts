// e2e/browser.ts: the browser of the tests: always the one from the dependencies, so that every machine tests
// with the same, or the one that PULSEWARD_BROWSER names. Nothing is downloaded.
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core'
import { type BrowserProgram, carriedBrowser, carriedBrowserRunsHere } from './carried-browser.ts'

const named = process.env['PULSEWARD_BROWSER']

/** Why no browser can be started here; null if one can. */
export const noBrowserReason: string | null =
  named !== undefined || carriedBrowserRunsHere
    ? null
    : 'the browser among the dependencies runs on Linux x64 only: name a Chromium or Chrome in PULSEWARD_BROWSER'

export async function launchBrowser(...flags: string[]): Promise<Browser> {
  return chromium.launch(await launchOptions(flags))
}

/** A browser for several processes, each of which connects to its `wsEndpoint()`. */
export async function launchSharedBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({ ...(await launchOptions([])), host: '127.0.0.1' })
}

async function launchOptions(flags: readonly string[]): Promise<LaunchOptions> {
  if (noBrowserReason !== null) throw new Error(noBrowserReason)
  const { path, environment } = await browserProgram()
  return {
    executablePath: path,
    // A container cannot provide a sandbox; the only pages are those of the service under test.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...flags],
    env: { ...process.env, ...environment },
  }
}

async function browserProgram(): Promise<BrowserProgram> {
  return named === undefined ? carriedBrowser() : { path: named, environment: {} }
}
