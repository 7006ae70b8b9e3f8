// store/escalation-rows.ts: pages, their members and what is told after quiet hours as rows: a key and a text. Pages are few
// and small; a member is one row, so that a page of thousands is not written again with each of them.
import type { EscalationRecord } from '../deciding/on-call/page.ts'

export interface EscalationRow {
  readonly key: string
  /** Null to remove it. */
  readonly body: string | null
}

export interface KeptEscalation {
  readonly key: string
  readonly body: string
}

export function escalationRow({ key, value }: EscalationRecord): EscalationRow {
  return { key, body: value === null ? null : JSON.stringify(value) }
}

export function escalationOf({ key, body }: KeptEscalation): EscalationRecord {
  return { key, value: JSON.parse(body) } as EscalationRecord
}
