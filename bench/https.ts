// bench/https.ts: what an https check costs the whole service, with sessions resumed as by default and with full handshakes
// alone, beside Go's net/http at the same pace. They take turns, each alone with the same targets in another process. A run is
// shorter than a session lasts, so the full handshakes that fall due are added to the ratio from what they cost. Full handshakes
// alone may be more than this machine can make at both ends: then they are measured at the pace that it keeps.
import { fullHandshakeEveryMs } from '../packages/server/src/platform/tls/tls-options.ts'
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
const allFull = 'Pulseward, all full'
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
      pulseward(allFull, { full_handshake_every: 0 }),
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
    console.error(peerTable(medians))
    const costOf = (name?: string) => medians.find((row) => row.name === name)?.cpu_us_per_check ?? null
    const ratios = ratiosTo(costOf(go?.name), costOf, interval)
    for (const [name, ratio] of Object.entries(ratios)) console.error(`${name}: ${ratio.toFixed(2)} × Go`)
    const ours = rows.filter(({ name }) => name === resuming)
    const undone = [...undoneByPeers(ours, monitors), ...wrongSessions(rows)]
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
      const row = await measureContender(contender, run)
      console.error(`round ${round}: ${costInWords(row)}`)
      rows.push(row)
    }
  }
  return rows
}

function costInWords({ name, checks, cpu_us_per_check: us }: PeerFigures): string {
  return us === null ? `${name} did not come to be measured` : `${name} ${us.toFixed(0)} µs, ${checks} checks`
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

/** Empty if one of them was not measured. */
function ratiosTo(
  goUs: number | null,
  costOf: (name: string) => number | null,
  intervalSeconds: number,
): Record<string, number> {
  const [resumedUs, fullUs] = [costOf(resuming), costOf(allFull)]
  if (goUs === null || resumedUs === null || fullUs === null) return {}
  return {
    [resuming]: withDueHandshakes(resumedUs, fullUs, intervalSeconds) / goUs,
    [allFull]: fullUs / goUs,
  }
}

/** What a check costs on average when one in as many as fit into the default of five minutes is a full one. */
export function withDueHandshakes(resumedUs: number, fullUs: number, intervalSeconds: number): number {
  const fullShare = Math.min(1, (intervalSeconds * 1_000) / fullHandshakeEveryMs(undefined))
  return resumedUs + fullShare * (fullUs - resumedUs)
}
