// projection/service-metrics.ts: metrics of the service itself: its readiness, whether its fleet files were
// applied, the state of its destinations, and the resources of the process.
import { destinationStates } from '@pulseward/contract'
import type { DestinationFigures } from '../engine/engine-figures.ts'
import type { LastReload } from '../fleet/reloader.ts'
import { descriptorLimit, openDescriptors } from '../platform/descriptors.ts'
import { version } from '../platform/version.ts'
import type { Family } from '../telemetry/exposition.ts'
import { family, seconds, single } from './metric-families.ts'

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
    single('pulseward_ready', Number(isReady())),
    single('pulseward_last_reload_successful', Number(successful)),
    single('pulseward_last_reload_timestamp_seconds', seconds(atMs)),
  ]
}

export function destinationFamilies(destinations: readonly DestinationFigures[]): Family[] {
  const samples = destinations.flatMap(({ name, state: current }) =>
    destinationStates.map((state) => ({
      labels: { endpoint: name, state },
      value: Number(state === current),
    })),
  )
  return [family('pulseward_destination_state', samples)]
}

export async function processFamilies({
  edition,
  lagP99Ms,
  startedAtMs,
}: Pick<ServiceSource, 'edition' | 'lagP99Ms' | 'startedAtMs'>): Promise<Family[]> {
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  const labels = { version, edition, node: process.version }
  return [
    family('pulseward_build_info', [{ labels, value: 1 }]),
    single('pulseward_event_loop_lag_p99_seconds', seconds(lagP99Ms())),
    single('process_cpu_seconds_total', (user + system) / 1e6),
    single('process_resident_memory_bytes', rss),
    single('process_heap_bytes', heapUsed),
    single('process_open_fds', await openDescriptors()),
    single('process_max_fds', descriptorLimit()),
    single('process_start_time_seconds', seconds(startedAtMs)),
  ]
}
