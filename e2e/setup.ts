// e2e/setup.ts: runs once before the browser tests: builds the dashboard and starts the browser that all of them share.
import type { TestProject } from 'vitest/node'
import { buildDashboard } from '../scripts/build-dashboard.ts'
import { launchSharedBrowser, noBrowserReason } from './browser.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser listens; null if there is none. */
    browserEndpoint: string | null
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide('browserEndpoint', null)
  if (noBrowserReason !== null) return
  buildDashboard()
  const browser = await launchSharedBrowser()
  project.provide('browserEndpoint', browser.wsEndpoint())
  return () => browser.close()
}
