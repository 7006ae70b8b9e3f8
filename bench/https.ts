// bench/https.ts: what an https check costs the whole service, with sessions resumed as by default and with full handshakes
// alone, beside Go's net/http at the same pace. They take turns, each alone with the same targets in another process.
import { duration, oneOf, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import type { Contender } from './contender.ts'
import { goClient } from './contender-go.ts'
import { pulseward } from './contender-pulseward.ts'
import { median } from './median.ts'
import { type PeerFleet, trustOf } from './peer-fleet.ts'
import { measureContender, type PeerFigures, type PeerTargets } from './peer-run.ts'
import { peerTable, undoneByPeers } from './peer-table.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const targetPorts = 32
const resuming = 'Pulseward'
/** With the default of five minutes, a run is too short for more than the first full handshakes. */
const leastResumedShare = 0.9

export const https = defineBenchmark({
  about: "CPU of an https check beside Go's net/http, with sessions resumed and without.",
  flags: {
    monitors: wholeNumber(300, 'monitors of the fleet'),
    interval: duration(1, 'how often each is checked'),
    key: oneOf(['p256', 'rsa'], 'p256', 'the key of the certificate of the targets'),
    seconds: wholeNumber(10, 'how long each is measured in a round, after its first checks'),
    rounds: wholeNumber(3, 'how often each is measured; the median counts'),
  },
  async run({ monitors, interval, key, seconds, rounds }) {
    using children = new ChildProcesses()
    using folder = new TemporaryFolder()
    const go = goClient(folder.path)
    if (go === null) console.error('Go is not installed, so there is nothing to compare with.')
    const contenders = [
      pulseward(resuming),
      ...(go === null ? [] : [go]),
      pulseward('Pulseward, all full', { full_handshake_every: 0 }),
    ]
    const targets = await children.helper<PeerTargets>('peer-targets.ts', [String(targetPorts), 'https', key])
    const fleet: PeerFleet = {
      monitors,
      intervalSeconds: interval,
      type: 'https',
      ports: targets.ports,
      ...trustOf(key),
    }
    const run = { fleet, controlPort: targets.control, seconds, startWithinSeconds: 60 }
    const rows = await measureInTurns(contenders, rounds, run)
    const medians = contenders.map(({ name }) => medianOf(rows.filter((row) => row.name === name)))
    const goUs = medians.find(({ name }) => name === go?.name)?.cpu_us_per_check ?? null
    const ratios = Object.fromEntries(medians.map((row) => [row.name, ratioTo(goUs, row)]))
    console.error(peerTable(medians))
    for (const [name, ratio] of Object.entries(ratios))
      if (ratio !== null && name !== go?.name) console.error(`${name}: ${ratio.toFixed(2)} × Go`)
    const undone = [...undoneByPeers(rows, monitors), ...wrongSessions(rows)]
    const figures = { monitors, interval_seconds: interval, key, seconds, rounds: rows, ratios_to_go: ratios }
    return { figures, undone }
  },
})

type Run = Parameters<typeof measureContender>[1]

async function measureInTurns(
  contenders: readonly Contender[],
  rounds: number,
  run: Run,
): Promise<PeerFigures[]> {
  const rows: PeerFigures[] = []
  for (let round = 1; round <= rounds; round++) {
    for (const contender of contenders) {
      console.error(`measuring ${contender.name}, round ${round}`)
      rows.push(await measureContender(contender, run))
    }
  }
  return rows
}

/** The row whose cost is the median one. */
function medianOf(rows: readonly PeerFigures[]): PeerFigures {
  const costs = rows.flatMap(({ cpu_us_per_check }) => cpu_us_per_check ?? [])
  return rows.find((row) => row.cpu_us_per_check === median(costs)) ?? rows[0]!
}

/** The figures would not be those of what the table says. */
export function wrongSessions(rows: readonly PeerFigures[]): string[] {
  return rows.flatMap(({ name, checks, resumed }) => {
    if (checks === null || resumed === null) return []
    const isRight = name === resuming ? resumed >= checks * leastResumedShare : resumed === 0
    return isRight ? [] : [`${name} resumed a session in ${resumed} of ${checks} checks.`]
  })
}

function ratioTo(goUs: number | null, { cpu_us_per_check }: PeerFigures): number | null {
  return goUs === null || cpu_us_per_check === null ? null : cpu_us_per_check / goUs
}
