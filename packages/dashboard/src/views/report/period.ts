// views/report/period.ts: the period of a report, as in the URL. Both ends are absolute times, so that a link
// shows the same to everyone, whenever and wherever it is opened.

export interface Period {
  readonly fromMs: number
  readonly toMs: number
}

export type NamedPeriod =
  | { readonly kind: 'period'; readonly period: Period }
  /** The URL has no period. */
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly why: string }

const minuteMs = 60_000

export function periodOf(search: string): NamedPeriod {
  const query = new URLSearchParams(search)
  const [from, to] = [query.get('from'), query.get('to')]
  if (from === null && to === null) return { kind: 'none' }
  const [fromMs, toMs] = [timeOf(from), timeOf(to)]
  if (Number.isNaN(fromMs) || Number.isNaN(toMs))
    return { kind: 'wrong', why: 'The address has no valid period. Choose one.' }
  if (fromMs >= toMs) return { kind: 'wrong', why: 'The period ends before it begins. Choose another one.' }
  return { kind: 'period', period: { fromMs, toMs } }
}

export function reportPath(id: string | number, { fromMs, toMs }: Period): string {
  const query = new URLSearchParams({ from: wireTime(fromMs), to: wireTime(toMs) })
  return `/monitors/${id}/report?${query}`
}

/** Ends with the current minute, so that a link made a second later is the same. */
export function lastPeriod(lengthMs: number, nowMs: number): Period {
  const toMs = Math.ceil(nowMs / minuteMs) * minuteMs
  return { fromMs: toMs - lengthMs, toMs }
}

function timeOf(text: string | null): number {
  // Without a zone it would be a different time for every reader.
  return text !== null && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN
}

function wireTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
