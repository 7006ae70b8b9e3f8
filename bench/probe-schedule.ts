// bench/probe-schedule.ts: a process that has an exporter probe each monitor of a fleet once per interval, spread evenly,
// over keep-alive connections. Prints that it has started, and runs until its standard input closes.
import { Agent, get } from 'node:http'
import { type PeerFleet, peerMonitors } from './peer-fleet.ts'

export interface ProbeSchedule {
  readonly exporter: string
  readonly fleet: PeerFleet
}

/** An exporter that is slower than the schedule falls behind, which the targets see; it is not flooded with requests. */
const mostInFlight = 256
const stepMs = 10

const { exporter, fleet }: ProbeSchedule = JSON.parse(process.argv[2]!)
const agent = new Agent({ keepAlive: true, maxSockets: mostInFlight })
const urls = peerMonitors(fleet).map(({ host, port, url }) => {
  const target = fleet.type === 'tcp' ? `${host}:${port}` : url
  return `${exporter}/probe?module=${fleet.type}&target=${encodeURIComponent(target)}`
})
const startedMs = performance.now()
let asked = 0
let inFlight = 0

function probe(url: string): void {
  inFlight++
  const request = get(url, { agent }, (response) => response.resume())
  // A failure shows as a check that the targets did not see.
  request.on('error', () => {})
  request.on('close', () => inFlight--)
}

setInterval(() => {
  const elapsedSeconds = (performance.now() - startedMs) / 1000
  const due = Math.floor((elapsedSeconds * urls.length) / fleet.intervalSeconds)
  while (asked < due && inFlight < mostInFlight) probe(urls[asked++ % urls.length]!)
}, stepMs)
process.stdout.write('{}\n')
process.stdin.resume().on('end', () => process.exit(0))
