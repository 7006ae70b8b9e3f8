// scripts/test.ts: `npm test` runs the quick tests, `npm run test:long` those with the tag `long`,
// `npm run test:all` both. Prints the CPU time of all processes of the run. With --cpu-seconds it fails above
// that limit: CI uses it for `npm test`, because CPU time hardly depends on what else the machine does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { text, wholeNumber } from './command-line/flags.ts'
import { cpuTime, isCpuTimeKnown } from './test/cpu-time.ts'
import { MachineSpeed } from './test/machine-speed.ts'

const selections = {
  quick: { script: 'test', filter: ['--tags-filter', '!long'], about: 'Runs the quick tests' },
  long: { script: 'test:long', filter: ['--tags-filter', 'long'], about: 'Runs the tests with the tag long' },
  all: { script: 'test:all', filter: [], about: 'Runs all tests' },
} as const

const flags = {
  project: text('NAME', null, 'these alone: parts, browser'),
  testNamePattern: text('PATTERN', null, 'tests whose name matches alone'),
  'cpu-seconds': wholeNumber(
    null,
    'fail above this CPU time of all processes, scaled by the speed of the machine',
  ),
}

/** Hundreds of processes and threads load the same sources: compiling them once costs a third less. */
const compileCache = join(import.meta.dirname, '../.cache/compiled-tests')

const [selected = 'quick', ...typed] = process.argv.slice(2)
const { script, filter, about } = selections[selected as keyof typeof selections]

await runCommand(
  {
    call: `npm run ${script} --`,
    about: `${about} in the files whose path has one of the words; in all files without one.`,
    flags,
    words: { usage: '[WORD]…', least: 0, most: Number.POSITIVE_INFINITY },
  },
  async ({ 'cpu-seconds': limit, ...ofVitest }, words) => {
    const given = Object.entries(ofVitest).flatMap(([flag, value]) =>
      value === null ? [] : [`--${flag}`, value],
    )
    using machine = new MachineSpeed()
    await runVitest([...filter, ...given, ...words])
    if (!isCpuTimeKnown) return
    process.stdout.write(`The machine took ${machine.slowness.toFixed(2)} times as long as usual.\n`)
    if (limit !== null) holdTo(Math.round(limit * machine.slowness))
  },
  typed,
)

async function runVitest(words: readonly string[]): Promise<void> {
  const root = join(import.meta.dirname, '..')
  const startedMs = performance.now()
  const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...words], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, PULSEWARD_TESTS: selected },
    stdio: 'inherit',
  })
  const [status] = await once(vitest, 'exit')
  const wallSeconds = Math.round((performance.now() - startedMs) / 1000)
  if (isCpuTimeKnown) process.stdout.write(`${cpuSeconds()} s of CPU time in ${wallSeconds} s\n`)
  process.exitCode = status ?? 1
}

/** CPU time of all ended processes of the run. */
function cpuSeconds(): number {
  return Math.round(cpuTime().endedMs / 1000)
}

function holdTo(allowed: number): void {
  if (cpuSeconds() <= allowed) return
  process.stdout.write(
    `The tests took ${cpuSeconds()} s of CPU time where ${allowed} are allowed: make the slowest files quicker, or give what is long by nature the tag long.\n`,
  )
  process.exitCode = 1
}
