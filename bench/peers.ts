// bench/peers.ts: what a check costs us and others, in one run against the same targets in another process. Contenders run
// one after the other, ours first and last: how far its two figures are apart says how much the machine changed meanwhile.
import { resolve } from 'node:path'
import { isExecutable } from '@pulseward/testing/files'
import { duration, oneOf, text, UsageError, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import type { Contender } from './contender.ts'
import { blackbox, findExporter } from './contender-blackbox.ts'
import { cpra } from './contender-cpra.ts'
import { gatus } from './contender-gatus.ts'
import { goClient } from './contender-go.ts'
import { pulseward } from './contender-pulseward.ts'
import { trustOf } from './peer-fleet.ts'
import { measureContender, type PeerFigures, type PeerTargets } from './peer-run.ts'
import { peerTable, undoneByPeers } from './peer-table.ts'
import { TemporaryFolder } from './temporary-folder.ts'

interface PeerPaths {
  readonly gatus: string | null
  readonly cpra: string | null
  readonly blackbox: string | null
}

const targetPorts = 32

export const peers = defineBenchmark({
  about: 'CPU of a check, memory and start of ours beside Gatus, CPRa and blackbox_exporter.',
  flags: {
    monitors: wholeNumber(1_000, 'monitors of the fleet'),
    interval: duration(1, 'how often each is checked'),
    type: oneOf(['http', 'https', 'tcp'], 'http', "the kind of check; https also runs Go's net/http"),
    seconds: wholeNumber(20, 'how long each is measured, after its first checks'),
    'start-within': duration(300, 'how long each may take until every monitor was checked once'),
    gatus: text('PATH', null, 'the program of Gatus; left out unless given'),
    cpra: text('PATH', null, 'the program of CPRa; left out unless given'),
    blackbox: text('PATH', null, 'the program of blackbox_exporter; the installed one unless given'),
  },
  async run({ monitors, interval, type, seconds, 'start-within': startWithinSeconds, ...paths }) {
    using children = new ChildProcesses()
    using folder = new TemporaryFolder()
    const go = type === 'https' ? goClient(folder.path) : null
    const others = peersAt({ ...paths, blackbox: paths.blackbox ?? findExporter() }, type, go)
    const targets = await children.helper<PeerTargets>('peer-targets.ts', [String(targetPorts), type])
    const trust = type === 'https' ? trustOf('p256') : {}
    const fleet = { monitors, intervalSeconds: interval, type, ports: targets.ports, ...trust }
    const rows: PeerFigures[] = []
    for (const contender of [pulseward('Pulseward'), ...others, pulseward('Pulseward again')]) {
      console.error(`measuring ${contender.name}`)
      const run = { fleet, controlPort: targets.control, seconds, startWithinSeconds }
      rows.push(await measureContender(contender, run))
    }
    console.error(peerTable(rows))
    const figures = { monitors, interval_seconds: interval, type, seconds, contenders: rows }
    return { figures, undone: undoneByPeers(rows, monitors) }
  },
})

/** `own`: a contender that is built here, beside those with a program. */
export function peersAt(
  paths: PeerPaths,
  type: 'http' | 'https' | 'tcp',
  own: Contender | null = null,
): Contender[] {
  if (type === 'https' && paths.cpra !== null)
    throw new UsageError('CPRa cannot be told to trust the targets: leave --cpra out with --type https.')
  const programs = { gatus, cpra, blackbox }
  const found = Object.entries(programs).flatMap(([flag, contender]) => {
    const path = paths[flag as keyof PeerPaths]
    if (path === null) return []
    if (!isExecutable(resolve(path))) throw new UsageError(`--${flag} needs a program, and ${path} is none.`)
    return [contender(resolve(path))]
  })
  if (own !== null) found.push(own)
  if (found.length === 0)
    throw new UsageError('There is nothing to compare with: give --gatus, --cpra or --blackbox a program.')
  return found
}
