// scripts/build-dashboard.ts: builds the dashboard if its sources are newer than the last build, and checks
// the result against its size budget. Runs before `npm start` and before the browser tests, so that a
// checkout always shows its own sources.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isFresh } from '../packages/cli/bin/is-fresh.js'

const dashboard = join(import.meta.dirname, '../packages/dashboard')
const sources = [
  'src',
  'public',
  'scripts',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../contract/src',
].map((source) => join(dashboard, source))

/** The list of packages in the page, inside the folder of a build; published packages name them. */
export const licensesOfPage = '.vite/license.json'

/** What starting, the budget and packing read. A build by an earlier configuration may lack some of it. */
const promisedFiles = ['index.html', '.vite/manifest.json', licensesOfPage]

export class BuildError extends Error {}

/** Whether a build is as new as its sources, and complete. */
export function isWholeAndFresh(dist: string, builtFrom: readonly string[]): boolean {
  return promisedFiles.every((file) => isFresh(join(dist, file), builtFrom))
}

function run(...words: string[]): void {
  // A test run sets NODE_ENV for its own process; the page is always built for production.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: dashboard,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new BuildError(`The dashboard could not be built:\n${stdout}${stderr}`)
}

export function buildDashboard(): void {
  if (isWholeAndFresh(join(dashboard, 'dist'), sources)) return
  process.stderr.write('Building the dashboard…\n')
  run(join(import.meta.dirname, '../node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error')
  run('scripts/budget.ts')
}
