// scripts/simulate.ts: `npm run simulate` runs the whole controller in a simulated world that tries to break
// it, and prints what happened. Exits with 1 on a violation, with the command that replays it exactly.
// `--break NAME` plants a defect that must be noticed, so it should exit with 1.
import { availableParallelism } from 'node:os'
import {
  addTally,
  defects,
  emptyTally,
  type SimulationResult,
  simulateSeeds,
  type Tally,
} from '@pulseward/testing/simulation'
import { runCommand } from './command-line/command.ts'
import { type FlagValues, oneOf, text, UsageError, wholeNumber } from './command-line/flags.ts'

const hourMs = 3_600_000

const seedsWith = ['some', 'every', 'no'] as const
type SeedsWith = (typeof seedsWith)[number]

interface Wish {
  readonly seeds: readonly number[]
  readonly hours: number
  readonly monitors: number
  readonly storm: number
  readonly writes: SeedsWith
  readonly operations: SeedsWith
  readonly workers: SeedsWith
  readonly policies: SeedsWith
  readonly pushes: SeedsWith
  readonly defect: string | null
}

const flags = {
  seeds: wholeNumber(10, 'how many seeds are simulated, from 1 on'),
  seed: wholeNumber(null, 'simulate this seed alone'),
  hours: wholeNumber(24, 'simulated hours of each seed'),
  monitors: wholeNumber(20, 'monitors of each fleet'),
  storm: wholeNumber(1, 'how many times as much goes wrong'),
  writes: oneOf(seedsWith, 'some', 'in which seeds people write through v2; some is every fourth'),
  operations: oneOf(seedsWith, 'some', 'in which of those they write to many at once; some is every eighth'),
  workers: oneOf(seedsWith, 'some', 'in which seeds workers outside the service work; some is every seventh'),
  policies: oneOf(seedsWith, 'some', 'in which seeds policies page people; some is all but every fifth'),
  pushes: oneOf(seedsWith, 'some', 'in which seeds jobs report by themselves; some is none'),
  break: text(
    'NAME',
    null,
    'break the service with this defect, which must be noticed; list prints their names',
  ),
}

function readWish({ seeds, seed, break: defect, ...wish }: FlagValues<typeof flags>): Wish {
  if (defect !== null && !Object.hasOwn(defects, defect))
    throw new UsageError(`There is no defect ${defect}; --break list names them.`)
  const all = Array.from({ length: seeds }, (_, index) => index + 1)
  return { ...wish, seeds: seed === null ? all : [seed], defect }
}

/** Without the choices that are left to the seeds. */
function chosenOf(wish: Wish): readonly (readonly [string, SeedsWith])[] {
  const { writes, operations, workers, policies, pushes } = wish
  return Object.entries({ writes, operations, workers, policies, pushes }).filter(
    ([, seeds]) => seeds !== 'some',
  )
}

function inWords(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).sort(([, one], [, other]) => other - one)
  return sorted.map(([name, times]) => `  ${name.padEnd(34)} ${times.toLocaleString('en-US')}`).join('\n')
}

function printTally(tally: Tally, seconds: number): void {
  const hours = Math.round(tally.simulatedMs / hourMs)
  console.log(`${hours} hours simulated in ${seconds.toFixed(0)} s`)
  for (const name of ['checks', 'steps', 'commits', 'crashes'] as const)
    console.log(`${name.padEnd(8)} ${tally[name].toLocaleString('en-US')}`)
  console.log(`actions\n${inWords(tally.actions)}\nfaults\n${inWords(tally.faults)}`)
  if (Object.keys(tally.controls).length > 0) console.log(`controls\n${inWords(tally.controls)}`)
  if (Object.keys(tally.operations).length > 0) console.log(`operations\n${inWords(tally.operations)}`)
  if (Object.keys(tally.workers).length > 0) console.log(`workers outside\n${inWords(tally.workers)}`)
  if (Object.keys(tally.writes).length > 0) console.log(`writes through v2\n${inWords(tally.writes)}`)
  if (Object.keys(tally.signals).length > 0) console.log(`signals of jobs\n${inWords(tally.signals)}`)
  console.log(`compared with the reference model\n${inWords(tally.compared)}`)
}

function printViolation({ seed, violation }: SimulationResult, wish: Wish): void {
  const { hours, monitors, storm, defect } = wish
  const who = chosenOf(wish)
    .map(([name, seeds]) => ` --${name} ${seeds}`)
    .join('')
  const more = `${storm === 1 ? '' : ` --storm ${storm}`}${who}${defect === null ? '' : ` --break ${defect}`}`
  console.log(`✗ seed ${seed}, after ${(violation!.atMs / hourMs).toFixed(3)} h: ${violation!.invariant}`)
  console.log(`  ${violation!.words}`)
  console.log(`  npm run simulate -- --seed ${seed} --hours ${hours} --monitors ${monitors}${more}`)
}

async function run(wish: Wish): Promise<number> {
  const tally = emptyTally()
  const startedAt = performance.now()
  let violations = 0
  const { seeds, hours, monitors, storm, defect } = wish
  const people = Object.fromEntries(chosenOf(wish).map(([name, chosen]) => [name, chosen === 'every']))
  await simulateSeeds({
    ...{ seeds, hours, monitors, storm, defect, ...people },
    threads: availableParallelism(),
    ended: (result) => {
      addTally(tally, result.tally)
      if (result.violation === null) return false
      violations++
      printViolation(result, wish)
      // One violation is enough to show that a defect is noticed.
      return wish.defect !== null
    },
  })
  printTally(tally, (performance.now() - startedAt) / 1000)
  if (wish.defect !== null)
    console.log(violations > 0 ? `${wish.defect} was noticed` : `${wish.defect} was NOT noticed`)
  else console.log(violations === 0 ? 'no violations' : `${violations} seeds with a violation`)
  return violations === 0 ? 0 : 1
}

const about = 'Runs the whole controller in a simulated world that is out to break it.'
await runCommand({ call: 'npm run simulate --', about, flags }, async (values) => {
  if (values.break === 'list') for (const name of Object.keys(defects)) console.log(name)
  else process.exitCode = await run(readWish(values))
})
