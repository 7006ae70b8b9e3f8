// scripts/build-dashboard.ts: builds the dashboard when its sources are newer than what was built, and holds the result
// to its budget. Runs before `npm start` and `npm test`, so that a checkout always shows what it contains.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const dashboard = join(import.meta.dirname, '../packages/dashboard')
const sources = [
  'src',
  'public',
  'scripts',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../contract/src',
]

function newestMs(path: string): number {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))))
}

function isFresh(): boolean {
  const built = statSync(join(dashboard, 'dist/index.html'), { throwIfNoEntry: false })
  return built !== undefined && sources.every((source) => newestMs(join(dashboard, source)) <= built.mtimeMs)
}

function run(...words: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: dashboard, encoding: 'utf8' })
  if (status === 0) return
  console.error(`The dashboard could not be built:\n${stdout}${stderr}`)
  process.exit(1)
}

if (!isFresh()) {
  console.error('Building the dashboard…')
  run(join(import.meta.dirname, '../node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error')
  run('scripts/budget.ts')
}
