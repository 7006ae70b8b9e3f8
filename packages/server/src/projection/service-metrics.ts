// projection/service-metrics.ts: the service itself as metrics: whether it can work, whether its fleet files were taken
// into force, how its destinations are, and what the process uses.
import { destinationStates } from '@pulseward/contract'
import type { DestinationFigures } from '../engine/engine-figures.ts'
import type { LastReload } from '../fleet/reloader.ts'
import { descriptorLimit, openDescriptors } from '../platform/descriptors.ts'
import { version } from '../platform/version.ts'
import type { Family } from '../telemetry/exposition.ts'
import { gauge, plain, seconds } from './metric-families.ts'

export interface ServiceSource {
  readonly edition: string
  readonly isReady: () => boolean
  readonly lastReload: () => LastReload
  readonly lagP99Ms: () => number | null
  readonly startedAtMs: number
}

export function readinessFamilies({ isReady, lastReload }: ServiceSource): Family[] {
  const { successful, atMs } = lastReload()
  return [
    gauge('ready', 'Whether the service can do its work.', [{ value: Number(isReady()) }]),
    gauge(
      'last_reload_successful',
      'Whether the fleet files were taken into force when they were last read.',
      [{ value: Number(successful) }],
    ),
    gauge(
      'last_reload_timestamp_seconds',
      'When the fleet files were last read, at the start or by a reload, with or without success.',
      [{ value: atMs / 1_000 }],
    ),
  ]
}

export function destinationFamilies(destinations: readonly DestinationFigures[]): Family[] {
  const samples = destinations.flatMap(({ name, state: current }) =>
    destinationStates.map((state) => ({
      labels: { endpoint: name, state },
      value: Number(state === current),
    })),
  )
  return [gauge('destination_state', 'How each destination is: 1 for the state that it is in.', samples)]
}

export async function processFamilies({ edition, lagP99Ms, startedAtMs }: ServiceSource): Promise<Family[]> {
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  return [
    gauge('build_info', 'What runs.', [{ labels: { version, edition, node: process.version }, value: 1 }]),
    gauge('event_loop_lag_p99_seconds', 'How late the controller gets its turn, 99th percentile.', [
      { value: seconds(lagP99Ms()) },
    ]),
    plain('process_cpu_seconds', 'counter', 'Processor time of the process.', (user + system) / 1e6),
    plain('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', rss),
    plain('process_heap_bytes', 'gauge', 'JavaScript heap of the controller in use.', heapUsed),
    plain('process_open_fds', 'gauge', 'Files and sockets that are open.', await openDescriptors()),
    plain('process_max_fds', 'gauge', 'Files and sockets that may be open at once.', descriptorLimit()),
    plain('process_start_time_seconds', 'gauge', 'When the process started.', startedAtMs / 1_000),
  ]
}
