// scripts/run.js: how every npm script starts: `node scripts/run.js [--no-tools] [--build] ARGUMENTS…`. It installs what is
// missing (with --no-tools only what a service needs), with --build also builds what is stale, and then becomes the
// bundled Node.js with these arguments. One process does all of it, because a shell remembers where it found `node`: its
// next command would still run on the host's. Plain JavaScript without dependencies, because it runs on the host's Node
// (20 or newer) before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceProcess } from '../packages/cli/bin/replace-process.js'
import { ensureInstalled } from './ensure-installed.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const programs = join(root, 'node_modules', '.bin')
const environment = { ...process.env, PATH: [programs, process.env.PATH].join(delimiter) }

/** The host's Node.js if npm has none for this platform. */
function bundledNode() {
  // Only a shell finds node.cmd, by the PATH.
  if (process.platform === 'win32') return 'node'
  const bundled = join(programs, 'node')
  return existsSync(bundled) ? bundled : process.execPath
}

function runToEnd(words) {
  const shell = process.platform === 'win32'
  const { status } = spawnSync(bundledNode(), words, { env: environment, stdio: 'inherit', shell })
  return status ?? 1
}

const words = process.argv.slice(2)
const takeFlag = (flag) => words[0] === flag && words.shift() === flag
const withTools = !takeFlag('--no-tools')
const builds = takeFlag('--build')

ensureInstalled({ withTools })
if (builds && !process.exitCode) process.exitCode = runToEnd([join(root, 'scripts', 'build.ts')])
if (!process.exitCode) {
  // Otherwise every script would leave a second process behind it, which has to pass on signals.
  await replaceProcess(bundledNode(), words, environment)
  process.exitCode = runToEnd(words)
}
