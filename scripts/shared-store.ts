// scripts/shared-store.ts: lives through days of several processes on one simulated PostgreSQL, under faults of clocks, of the
// network and of the disk, and judges what they did. Exits with 1 on a violation, with the command that repeats it.
// `--break NAME` plants a defect in the fence that must be noticed, so it should exit with 1.
import { availableParallelism } from 'node:os'
import {
  type FencedDefectName,
  fencedDefects,
  simulateFencedSeeds,
} from '@pulseward/testing/fenced-simulation'
import { runCommand } from './command-line/command.ts'
import { oneOf, wholeNumber } from './command-line/flags.ts'

const flags = {
  seeds: wholeNumber(8, 'how many seeds are simulated, from 1 on'),
  seed: wholeNumber(null, 'simulate this seed alone'),
  hours: wholeNumber(24, 'simulated hours of each seed'),
  monitors: wholeNumber(6, 'monitors of the fleet'),
  interval: wholeNumber(20, 'seconds between two checks of a monitor'),
  processes: wholeNumber(2, 'processes, each on a machine of its own'),
  storm: wholeNumber(1, 'how many times as much goes wrong'),
  break: oneOf(
    ['nothing', ...(Object.keys(fencedDefects) as FencedDefectName[])],
    'nothing',
    'break the fence in this way, which must be noticed',
  ),
}

const about = 'Lives through days of several processes on one simulated PostgreSQL, and judges what they did.'
const call = 'npm run tool -- shared-store'
await runCommand({ call, about, flags }, async ({ seeds, seed, break: broken, ...wish }) => {
  const { interval: intervalSeconds, ...others } = wish
  const chosen = seed === null ? Array.from({ length: seeds }, (_, index) => index + 1) : [seed]
  await simulateFencedSeeds({
    ...others,
    intervalSeconds,
    seeds: chosen,
    threads: availableParallelism(),
    defect: broken === 'nothing' ? null : broken,
    ended({ violation, faults, ...figures }) {
      const struck = Object.values(faults).reduce((sum, count) => sum + count, 0)
      const counted = Object.entries({ ...figures, faults: struck })
      console.log(counted.map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`).join(', '))
      if (violation === null) return false
      const { rule, words, atMs } = violation
      const more = Object.entries(wish).map(([name, value]) => ` --${name} ${value}`)
      const how = broken === 'nothing' ? '' : ` --break ${broken}`
      console.log(`✗ after ${(atMs / 3_600_000).toFixed(3)} h: ${rule}: ${words}`)
      console.log(`  ${call} --seed ${figures.seed}${more.join('')}${how}`)
      process.exitCode = 1
      return broken !== 'nothing'
    },
  })
})
