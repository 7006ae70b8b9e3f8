// client/subjects/monitors.ts: monitors as people ask for them. v1 knows their health and has numbers for them; v2 knows
// their ids and labels and shows their definition. What the user names decides which of the two answers.
import { UsageError } from '@pulseward/server'
import { listedMonitors, numberedMonitor } from './fleet.ts'
import { type Read, type Subject, subject } from './subject.ts'
import { managedMonitors } from './v2-lists.ts'

const largestNumber = 4_294_967_295

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
    (isOfV2(data) ? managedMonitors : 'monitors' in data ? listedMonitors : monitor).blocks(data),
})

export const monitor = subject<object>({
  summary: 'one monitor by its number, or by its id (v2)',
  version: 'v1',
  id: 'required',
  filters: [],
  operations: ['GetMonitor'],
  prepare: (parsed, id) => read(isNumber(id) ? numberedMonitor : managedMonitors, parsed, id),
  blocks: (data) => (isOfV2(data) ? managedMonitors : numberedMonitor).blocks(data),
})

function read(from: Subject, ...given: Parameters<Subject['prepare']>): Read<object> {
  return from.prepare(...given) as Read<object>
}

function isNumber(text: string): boolean {
  return /^[0-9]{1,10}$/.test(text) && Number(text) <= largestNumber
}

function isOfV2(data: object): boolean {
  return 'items' in data || 'apiVersion' in data
}
