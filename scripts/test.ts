// scripts/test.ts: `npm test` runs the quick tests, `npm run test:long` those with the tag `long`, `npm run test:all` both;
// further words go to vitest. Prints the CPU time of all processes of the run. With PULSEWARD_TEST_CPU_SECONDS it fails when
// that is more: CI holds `npm test` to it, whatever else the machine does.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cpuTime, isCpuTimeKnown } from './test/cpu-time.ts'
import { slownessOfThisMachine } from './test/machine-speed.ts'

const filters: Readonly<Record<string, readonly string[]>> = {
  quick: ['--tags-filter', '!long'],
  long: ['--tags-filter', 'long'],
  all: [],
}
const [tests = 'quick', ...words] = process.argv.slice(2)
const root = join(import.meta.dirname, '..')
const limit = Number(process.env['PULSEWARD_TEST_CPU_SECONDS'] ?? Number.POSITIVE_INFINITY)

const startedMs = performance.now()
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...(filters[tests] ?? []), ...words],
  { cwd: root, env: { ...process.env, PULSEWARD_TESTS: tests }, stdio: 'inherit' },
)
const wall = Math.round((performance.now() - startedMs) / 1000)
const cpu = Math.round(cpuTime().endedMs / 1000)
if (isCpuTimeKnown) process.stdout.write(`${cpu} s of CPU time in ${wall} s\n`)
process.exitCode = status ?? 1

if (Number.isFinite(limit)) {
  // In a slow hour everything costs more, what is measured as well as what it is measured by.
  const allowed = Math.round(limit * slownessOfThisMachine())
  if (cpu > allowed) {
    process.stdout.write(
      `The tests took ${cpu} s of CPU time where ${allowed} are allowed: make the slowest files quicker, or tag what is long by nature.\n`,
    )
    process.exitCode = 1
  }
}
