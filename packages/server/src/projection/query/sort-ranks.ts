// projection/query/sort-ranks.ts: in which order people want to see the values of a column. The controller sends it with a
// query, so that the query thread need not load the contract.
import { codes, type MonitorSort, type Status, statuses } from '@pulseward/contract'

/** What is wrong first, what is not checked last. */
const troubleFirst = [
  ...(['incident', 'down', 'verifying', 'degraded', 'unknown', 'up', 'disabled'] as const),
] satisfies readonly Status[]

const ranks: Readonly<Partial<Record<MonitorSort, Uint8Array>>> = {
  status: Uint8Array.from(statuses, (status) => troubleFirst.indexOf(status) + 1),
  /** The most important color first; monitors without a pending notification come last. */
  pending_code: Uint8Array.from(['', ...codes], (_, number) => (number === 0 ? codes.length + 1 : number)),
  /** In the order of the column's numbers. */
  pulse_type: Uint8Array.from({ length: 255 }, (_, number) => number + 1),
}

/** The rank of each value of the column, from 1; null if it is not sorted by rank. */
export function ranksFor(by: MonitorSort): Uint8Array | null {
  return ranks[by] ?? null
}
