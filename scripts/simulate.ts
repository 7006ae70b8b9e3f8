// scripts/simulate.ts: `npm run simulate -- --seeds N --hours H [--monitors M] [--seed S] [--storm X] [--break NAME]` runs
// the whole controller in a simulated world that is out to break it, and says what it went through. Exits with 1 on a
// violation, with the command that replays it exactly. `--storm 5`: five times as much goes wrong. `--break list` names the defects that it must notice; `--break NAME` breaks
// the service with one, so that 1 is then what should come out.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { defects } from '../packages/testing/src/simulation/defects.ts'
import { simulateSeeds } from '../packages/testing/src/simulation/simulate-seeds.ts'
import type { SimulationResult } from '../packages/testing/src/simulation/simulation.ts'
import { addTally, emptyTally, type Tally } from '../packages/testing/src/simulation/tally.ts'

const hourMs = 3_600_000

interface Wish {
  readonly seeds: readonly number[]
  readonly hours: number
  readonly monitors: number
  readonly storm: number
  readonly defect: string | null
}

function readWish(): Wish {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '10' },
      hours: { type: 'string', default: '24' },
      monitors: { type: 'string', default: '20' },
      storm: { type: 'string', default: '1' },
      seed: { type: 'string' },
      break: { type: 'string' },
    },
  })
  const seeds = Array.from({ length: positive('seeds', values.seeds) }, (_, index) => index + 1)
  const defect = values.break ?? null
  if (defect !== null && defect !== 'list' && !Object.hasOwn(defects, defect))
    throw new Error(`There is no defect ${defect}; --break list names them.`)
  return {
    seeds: values.seed === undefined ? seeds : [positive('seed', values.seed)],
    hours: positive('hours', values.hours),
    monitors: positive('monitors', values.monitors),
    storm: positive('storm', values.storm),
    defect,
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} needs a whole number from 1 on.`)
  return number
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
}

function printViolation(
  { seed, violation }: SimulationResult,
  { hours, monitors, storm, defect }: Wish,
): void {
  const more = `${storm === 1 ? '' : ` --storm ${storm}`}${defect === null ? '' : ` --break ${defect}`}`
  console.log(`✗ seed ${seed}, after ${(violation!.atMs / hourMs).toFixed(3)} h: ${violation!.invariant}`)
  console.log(`  ${violation!.words}`)
  console.log(`  npm run simulate -- --seed ${seed} --hours ${hours} --monitors ${monitors}${more}`)
}

async function run(wish: Wish): Promise<number> {
  const tally = emptyTally()
  const startedAt = performance.now()
  let violations = 0
  await simulateSeeds({
    ...wish,
    threads: availableParallelism(),
    ended: (result) => {
      addTally(tally, result.tally)
      if (result.violation === null) return false
      violations++
      printViolation(result, wish)
      // One is enough to know that a defect is noticed.
      return wish.defect !== null
    },
  })
  printTally(tally, (performance.now() - startedAt) / 1000)
  if (wish.defect !== null)
    console.log(violations > 0 ? `${wish.defect} was noticed` : `${wish.defect} was NOT noticed`)
  else console.log(violations === 0 ? 'no violations' : `${violations} seeds with a violation`)
  return violations === 0 ? 0 : 1
}

try {
  const wish = readWish()
  if (wish.defect === 'list')
    for (const [name, { summary }] of Object.entries(defects)) console.log(`${name.padEnd(22)} ${summary}`)
  else process.exitCode = await run(wish)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
