// v1/stale.ts: marks data that is no longer kept up to date. While decisions cannot be stored or no work is
// admitted, `generated` stays at the time of the data and no next check is promised.
import { type Static, Type } from 'typebox'
import { field, nullable, oneOf, Timestamp } from './values.ts'

/** The reasons of readiness after which there is still something to show. */
export const staleReasons = ['storage_unavailable', 'controller_stalled', 'stale_snapshot'] as const
export type StaleReason = (typeof staleReasons)[number]

export const Stale = Type.Object(
  {
    since: field(Timestamp, 'The time of the data; nothing was added since.'),
    reason: field(
      oneOf(staleReasons),
      'Decisions cannot be stored, the controller makes no progress, or no newer snapshot was taken.',
    ),
  },
  { description: 'The data is not kept up to date: since when, and why.' },
)
export type Stale = Static<typeof Stale>

export const staleField = nullable(Stale, 'Since when and why this is not kept up to date; null when it is.')

export const staleHeaderName = 'Pulseward-Stale'

/**
 * The same for an answer that is not JSON: a token with a parameter, written as a structured field (RFC
 * 9651).
 */
export function staleHeader({ since, reason }: Stale): string {
  return `${reason}; since="${since}"`
}
