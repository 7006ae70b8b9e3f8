// bench/https-memory.ts: what the memory of a fleet grows by when it is checked over https: the resident memory of the service
// beside the same fleet over http, and how many sessions fit in the memory of one probe thread. The authority of the targets is
// one of the machine, as that of most servers is: in the configuration of each monitor it would take more than all sessions.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { systemClock } from '../packages/server/src/platform/clock.ts'
import { SessionMemory } from '../packages/server/src/platform/tls/session-memory.ts'
import { slimSession } from '../packages/server/src/platform/tls/slim-session.ts'
import { duration, oneOf, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { pulseward } from './contender-pulseward.ts'
import { type PeerFleet, peerMonitorAt, trustOf } from './peer-fleet.ts'
import { measureContender, type PeerFigures, type PeerTargets } from './peer-run.ts'
import { peerTable, undoneByPeers } from './peer-table.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const targetPorts = 32
const barBytes = 64 * 2 ** 20
const day = 86_400_000

export const httpsMemory = defineBenchmark({
  about: 'Memory of a fleet over https beside the same fleet over http, and how many TLS sessions fit.',
  flags: {
    monitors: wholeNumber(100_000, 'monitors of the fleet'),
    interval: duration(60, 'how often each is checked; below five minutes, or no session is resumed'),
    key: oneOf(['p256', 'rsa'], 'p256', 'the key of the certificate of the targets'),
    seconds: wholeNumber(60, 'how long each fleet is watched, after its first checks'),
    'start-within': duration(600, 'how long it may take until every monitor was checked once'),
  },
  async run({ monitors, interval, key, seconds, 'start-within': startWithinSeconds }) {
    using children = new ChildProcesses()
    using folder = new TemporaryFolder()
    const { authority, serverName } = trustOf(key)
    const file = join(folder.path, 'authority.pem')
    writeFileSync(file, authority!)
    const rows: PeerFigures[] = []
    let fits: SessionsThatFit | null = null
    for (const type of ['http', 'https'] as const) {
      console.error(`measuring ${type}`)
      const words = [String(targetPorts), type, key]
      const targets = await children.helper<PeerTargets>('peer-targets.ts', words)
      const fleet = {
        monitors,
        intervalSeconds: interval,
        type,
        ports: targets.ports,
        serverName: serverName!,
      }
      if (type === 'https') fits = await sessionsThatFit(fleet)
      const run = { fleet, controlPort: targets.control, seconds, startWithinSeconds }
      rows.push(await measureContender(pulseward(type, {}, { NODE_EXTRA_CA_CERTS: file }), run))
    }
    console.error(peerTable(rows))
    const [http, https] = rows.map(({ rss_bytes }) => rss_bytes)
    const more = http == null || https == null ? null : https - http
    if (more !== null)
      console.error(`https needs ${mebibytes(more)} more than http (bar ${mebibytes(barBytes)}).`)
    console.error(
      `${fits!.sessions} sessions of ${fits!.session_bytes} bytes fit in a probe thread, and take ${mebibytes(fits!.resident_bytes)}.`,
    )
    const figures = { monitors, interval_seconds: interval, key, more_bytes: more, ...fits, fleets: rows }
    return { figures, undone: undoneByPeers(rows, monitors) }
  },
})

interface SessionsThatFit {
  readonly sessions: number
  readonly session_bytes: number
  /** What the process grew by when it kept them. */
  readonly resident_bytes: number
}

/** Fills the memory of one thread with sessions like that of the first target, each for a server of its own. */
async function sessionsThatFit(fleet: PeerFleet): Promise<SessionsThatFit> {
  const session = await sessionOf(fleet)
  const known = {
    session,
    fullAtMs: systemClock.monotonicMs(),
    certificateExpiresAt: systemClock.wallMs() + 365 * day,
  }
  const memory = new SessionMemory(systemClock)
  const before = process.memoryUsage.rss()
  for (let row = 0; ; row++) {
    const { host, port } = peerMonitorAt(row, fleet)
    const owner = { row, version: 256, intervalMs: fleet.intervalSeconds * 1_000 }
    const server = `${host}:${port} ${fleet.serverName} true true 1`
    memory.keep(owner, server, known, day)
    if (memory.find(owner, server) !== null) continue
    const resident_bytes = process.memoryUsage.rss() - before
    return { sessions: row, session_bytes: session.length, resident_bytes }
  }
}

/** As a check keeps it. */
async function sessionOf(fleet: PeerFleet): Promise<Buffer> {
  const { host, port } = peerMonitorAt(0, fleet)
  const secured = connect({ host, port, servername: fleet.serverName!, rejectUnauthorized: false })
  secured.write('GET / HTTP/1.1\r\n\r\n')
  const [session] = await once(secured, 'session')
  secured.destroy()
  return slimSession(session)
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}
