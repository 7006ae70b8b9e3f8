// client/location-blocks.ts: what each location of a monitor said last, for people. An earlier service says nothing of them.
import type { LocationFinding } from '@pulseward/contract'
import { type Block, type Column, table } from './table/block.ts'
import { milliseconds, moment } from './table/values.ts'

const outcomeWords: Readonly<Record<NonNullable<LocationFinding['outcome']>, string>> = {
  success: 'healthy',
  failure: 'failed',
  timeout: 'no answer in time',
  no_data: 'says nothing',
  own_fault: 'could not check',
}

const columns: readonly Column<LocationFinding>[] = [
  { title: 'LOCATION', cell: ({ location }) => location, minimum: 8 },
  { title: 'LAST', cell: ({ outcome }) => (outcome === null ? 'not heard of yet' : outcomeWords[outcome]) },
  { title: 'TOOK', cell: ({ latency_ms: latencyMs }) => milliseconds(latencyMs) },
  { title: 'WHY', cell: ({ reason }) => reason, minimum: 16 },
  { title: 'AT', cell: ({ at }) => moment(at), dispensable: 1 },
]

/** `locations` as the detail of a monitor has them. */
export function locationBlocks({
  locations = [],
}: {
  readonly locations?: readonly LocationFinding[]
}): Block[] {
  return locations.length === 0 ? [] : [table(columns, locations, { heading: 'Locations', empty: '' })]
}
