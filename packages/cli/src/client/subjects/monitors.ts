// client/subjects/monitors.ts: monitors as people ask for them. v1 knows how they are; v2 knows their labels and shows their
// definition. People see how a monitor is, whatever they call it; programs get the body of v2 for an id and the body of v1
// for a number, as ever.
import type { CallOptions, Client } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import { isMissing, isNotServed, isNumber, withMonitor } from '../named-monitor.ts'
import { formatFrom } from '../output.ts'
import { detailedMonitor, listedMonitors } from './fleet.ts'
import { type Read, type Subject, subject } from './subject.ts'
import { managedMonitors } from './v2-lists.ts'

export const monitors = subject<object>({
  summary: 'monitors, filtered, in pages; with -l by their labels (v2)',
  version: 'v1',
  id: 'optional',
  filters: [...listedMonitors.filters, ...managedMonitors.filters],
  operations: ['ListMonitors'],
  prepare(parsed, id) {
    if (id !== '') return read(monitor, parsed, id)
    const [ofV1, ofV2] = [listedMonitors, managedMonitors].map(({ filters }) =>
      filters.find((flag) => parsed.flags.has(flag)),
    )
    if (ofV1 !== undefined && ofV2 !== undefined)
      throw new UsageError(`--${ofV1} and --${ofV2} cannot be combined: v1 has the one, v2 the other.`)
    return read(ofV2 === undefined ? listedMonitors : managedMonitors, parsed, '')
  },
  blocks: (data) =>
    ('items' in data ? managedMonitors : 'monitors' in data ? listedMonitors : detailedMonitor).blocks(data),
})

export const monitor = subject<object>({
  summary: 'one monitor by its id',
  version: 'v1',
  id: 'required',
  filters: [],
  operations: ['GetMonitor'],
  prepare(parsed, id) {
    const ofV1 = read(detailedMonitor, parsed, id)
    if (!['json', 'yaml'].includes(formatFrom(parsed))) return ofV1
    return async (client, options) => (await resourceOf(client, id, options)) ?? ofV1(client, options)
  },
  blocks: (data) => detailedMonitor.blocks(data),
})

function read(from: Subject, ...given: Parameters<Subject['prepare']>): Read<object> {
  return from.prepare(...given) as Read<object>
}

/** Null for a number, which v1 has, and from a service that does not serve v2. */
async function resourceOf(client: Client, named: string, options: CallOptions): Promise<object | null> {
  const ofId = async (id: string) => (await client.getMonitor({ id }, options)).data
  try {
    return isNumber(named) ? await ofId(named) : await withMonitor(client, named, options, ofId)
  } catch (error) {
    if (isNotServed(error) || (isNumber(named) && isMissing(error))) return null
    throw error
  }
}
