// views/monitors/columns.ts: the columns of the list, each with what it is sorted by, and the orders that people choose from
// where there are no headings to click.
import { type MonitorSort, monitorSorts } from '@pulseward/contract'
import type { MonitorOrder } from '../../data/monitors.ts'

export interface Column {
  readonly key: 'status' | 'name' | 'latency' | 'share' | 'type' | 'code' | 'checked'
  readonly name: string
  readonly note?: string
  readonly sort: MonitorSort
  /** The first click sorts from this end: what people look for is at the top. */
  readonly first: MonitorOrder
}

export const columns: readonly Column[] = [
  { key: 'status', name: 'Status', note: 'What is wrong first', sort: 'status', first: 'status' },
  { key: 'name', name: 'Monitor', sort: 'name', first: 'name' },
  { key: 'latency', name: 'Latency', note: 'Of the last check', sort: 'latency_ms', first: '-latency_ms' },
  {
    key: 'share',
    name: 'Healthy',
    note: 'Healthy checks among all checks. Not an SLA.',
    sort: 'healthy_sample_percent',
    first: 'healthy_sample_percent',
  },
  { key: 'type', name: 'Type', sort: 'pulse_type', first: 'pulse_type' },
  {
    key: 'code',
    name: 'Notification',
    note: 'The most important color with a notification under way',
    sort: 'pending_code',
    first: 'pending_code',
  },
  { key: 'checked', name: 'Last check', sort: 'last_check', first: '-last_check' },
]

export const troubleFirst: MonitorOrder = 'status'

export const orderWords: readonly (readonly [order: MonitorOrder, words: string])[] = [
  ['status', 'What is wrong first'],
  ['name', 'Name'],
  ['-latency_ms', 'Slowest first'],
  ['healthy_sample_percent', 'Least healthy first'],
  ['pulse_type', 'Type'],
  ['pending_code', 'Notification'],
  ['last_check', 'Longest ago checked first'],
]

export function orderOf(text: string | null): MonitorOrder {
  const name = text?.replace(/^-/, '')
  return (monitorSorts as readonly (string | undefined)[]).includes(name)
    ? (text as MonitorOrder)
    : troubleFirst
}

/** For `aria-sort`; undefined for a column that the list is not sorted by. */
export function directionOf(
  { sort }: Pick<Column, 'sort'>,
  order: MonitorOrder,
): 'ascending' | 'descending' | undefined {
  if (order === sort) return 'ascending'
  return order === `-${sort}` ? 'descending' : undefined
}

/** After a click on the heading: this column first, then its other end. */
export function nextOrder({ sort, first }: Column, order: MonitorOrder): MonitorOrder {
  if (directionOf({ sort }, order) === undefined) return first
  return order === sort ? `-${sort}` : sort
}
