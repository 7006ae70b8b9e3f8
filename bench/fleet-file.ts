// bench/fleet-file.ts: writes the fleet of a benchmark; all monitors are different.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

export interface FleetShape {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly type: 'http' | 'tcp'
  /** Share of monitors whose target accepts and never answers. */
  readonly deadPercent: number
  readonly names: boolean
  /** Each has a label that one in a hundred monitors shares. */
  readonly labelled?: boolean
}

/** The ports of fleet-targets.ts. */
export interface Targets {
  readonly live: readonly number[]
  readonly dead: readonly number[]
  /** The port of their counters. */
  readonly control: number
}

const monitorsPerName = 100

export function writeFleet(folder: string, shape: FleetShape, targets: Targets): string {
  const file = join(folder, 'fleet.ndjson')
  for (let from = 0; from < shape.monitors; from += 10_000) {
    const count = Math.min(10_000, shape.monitors - from)
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify(monitorAt(from + index, shape, targets)),
    )
    appendFileSync(file, `${lines.join('\n')}\n`)
  }
  return file
}

/** The monitor with this number, as in every benchmark of a fleet. */
export function monitorAt(number: number, shape: FleetShape, targets: Targets) {
  // Multiplying spreads the dead ones over the fleet instead of placing them side by side.
  const dead = ((number * 7919) % 10_000) / 100 < shape.deadPercent
  const ports = dead ? targets.dead : targets.live
  const port = ports[number % ports.length]!
  const host = shape.names
    ? `host-${Math.floor(number / monitorsPerName)}.fleet.test`
    : `127.0.0.${1 + (number % 8)}`
  // A dead target accepts and sends nothing, so a tcp check of it must expect text.
  const tcp = { host, port, ...(dead ? { expect: 'hello' } : {}) }
  const http = { url: `http://${host}:${port}/service/${number}/health` }
  return {
    id: `service-${number}`,
    name: `Service ${number} of the ${number % 2 ? 'eastern' : 'western'} region`,
    tags: [`team-${number % 40}`],
    ...(shape.labelled === true ? { labels: { slice: `s${number % 100}` } } : {}),
    check: {
      type: shape.type,
      interval: `${shape.intervalSeconds}s`,
      timeout: `${Math.min(5, shape.intervalSeconds)}s`,
      config: shape.type === 'tcp' ? tcp : http,
    },
  }
}
