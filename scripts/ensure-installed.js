// scripts/ensure-installed.js: makes a checkout runnable. Installs exactly what the lock file says, and only
// if node_modules is missing or differs from it, and a Node.js that starts on this machine. A newcomer's first
// start waits for what running needs (`dependencies`) alone: the tools of tests and checks (`devDependencies`)
// are as large again, and are added when a script first wants them. Plain JavaScript without dependencies, because it
// runs on the host's Node (20 or newer) before anything is installed. Install scripts never run, so it can neither
// recurse nor execute code of a dependency.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureRuntime, lacksRuntime } from './ensure-runtime.js'

const OLDEST_NODE_MAJOR = 20
const OTHER_INSTALL_WAIT_MS = 5 * 60_000
const POLL_MS = 200

const root = fileURLToPath(new URL('..', import.meta.url))
const turnFile = join(root, '.cache', 'installing')

class InstallError extends Error {}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** npm writes node_modules/.package-lock.json last, so an interrupted install counts as none. */
function isFresh({ withTools }) {
  const wanted = readLock(join(root, 'package-lock.json'))
  if (!wanted)
    throw new InstallError('package-lock.json is missing or broken: restore it with `git checkout`.')
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'))
  if (!installed) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    const present = installed[path]
    // Optional packages of other platforms are in the lock file but never on the disk.
    if (!present) return entry.optional || entry.devOptional || (entry.dev && !withTools)
    return sameRelease(entry, present) && existsSync(join(root, path))
  })
}

function sameRelease(entry, present) {
  if (entry.link) return present.link === true && entry.resolved === present.resolved
  return entry.version === present.version && entry.integrity === present.integrity
}

/** The npm that runs this script, if any, on the host's Node: ours is about to be replaced. */
function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  if (script && node && basename(script) === 'npm-cli.js' && existsSync(node)) return [node, script]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

function hostEnvironment() {
  const path = (process.env.PATH ?? '').split(delimiter)
  const ours = join(root, 'node_modules')
  return { ...process.env, PATH: path.filter((folder) => !folder.startsWith(ours)).join(delimiter) }
}

const installAnew = ['ci']
/** Leaves what is there in its place: a service may run from it. */
const installMissing = ['install', '--no-save']

function runNpm(folder, task, { withTools }) {
  const [command, ...script] = npmCommand()
  const tools = withTools ? '--include=dev' : '--omit=dev'
  const options = [...task, '--ignore-scripts', tools, '--include=optional', '--no-audit', '--no-fund']
  // The prefix is explicit because a surrounding npm passes its own down in the environment.
  const { error, status, stderr } = spawnSync(
    command,
    [...script, ...options, '--loglevel=error', '--prefix', folder],
    {
      cwd: folder,
      env: hostEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      shell: command.endsWith('.cmd'),
    },
  )
  if (error) throw new InstallError(`npm could not be started (${error.code}): install npm, then try again.`)
  if (status !== 0) throw new InstallError(explain(status, stderr))
}

function explain(status, stderr) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ENOTCACHED/.test(stderr)) {
    return 'The npm registry cannot be reached: connect to the network or set npm_config_registry to a mirror, then try again.'
  }
  if (/EUSAGE/.test(stderr)) {
    return 'package-lock.json does not fit package.json: run `npm install --ignore-scripts` and commit the lock file.'
  }
  return `Dependencies could not be installed (npm ended with ${status}): run \`npm ci --ignore-scripts\` to see why.\n${stderr.trim()}`
}

function installFallback(folder) {
  runNpm(folder, installAnew, { withTools: false })
}

function installWhatIsMissing(wanted) {
  if (isFresh(wanted)) return
  if (wanted.withTools && isFresh({ withTools: false })) {
    process.stderr.write('Installing the tools of tests and checks…\n')
    runNpm(root, installMissing, wanted)
    // Unlike `npm ci`, this does not insist on the lock file.
    if (isFresh(wanted)) return
  }
  process.stderr.write('Installing dependencies…\n')
  runNpm(root, installAnew, wanted)
}

/** Runs one install at a time in a checkout; a process that waited checks again whether anything is left to do. */
function inTurn(work) {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const giveUpAt = Date.now() + OTHER_INSTALL_WAIT_MS
  while (!takeTurn()) {
    if (Date.now() > giveUpAt) {
      throw new InstallError(`Another install does not end: stop it, delete ${turnFile}, then try again.`)
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
  try {
    work()
  } finally {
    rmSync(turnFile, { force: true })
  }
}

function takeTurn() {
  try {
    writeFileSync(turnFile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (holderIsGone()) rmSync(turnFile, { force: true })
    return false
  }
}

function holderIsGone() {
  try {
    const holder = Number(readFileSync(turnFile, 'utf8'))
    // Created but not yet written: its holder is alive.
    if (holder > 0) process.kill(holder, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/**
 * Sets the exit code and says why if it cannot be done.
 * @param {{ withTools: boolean }} wanted - whether tests and checks, too, have to find their tools
 */
export function ensureInstalled(wanted) {
  try {
    if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE_MAJOR) {
      throw new InstallError(
        `Pulseward needs Node.js ${OLDEST_NODE_MAJOR} or newer to install, this is ${process.version}: upgrade Node.js, then try again.`,
      )
    }
    if (isFresh(wanted) && !lacksRuntime(root)) return
    inTurn(() => {
      installWhatIsMissing(wanted)
      ensureRuntime(root, installFallback)
    })
  } catch (error) {
    if (!(error instanceof InstallError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
