// import/monitor-parts.ts: the parts of a monitor that all sources have, limited to what a fleet file
// allows; every change is noted.
import { asDuration, longestMs } from './durations.ts'
import type { Fields } from './fields.ts'

const longestName = 256
const longestTag = 64
const mostTags = 64
const highestThreshold = 1_000
const labelName = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/

export function monitorName(text: string, fields: Fields): string {
  const clean = text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  const name = [...clean].slice(0, longestName).join('')
  if (name !== text)
    fields.note('name', 'is written without control characters and with at most 256 characters')
  return name === '' ? 'unnamed' : name
}

export interface Timing {
  readonly intervalMs: number
  /** Null for the default, which fits any interval. */
  readonly timeoutMs: number | null
  readonly failures?: number
  readonly successes?: number
}

export interface WrittenTiming {
  interval: string
  timeout?: string
  unhealthy_threshold?: number
  healthy_threshold?: number
}

export function timing(
  { intervalMs, timeoutMs, failures, successes }: Timing,
  fields: Fields,
): WrittenTiming {
  const interval = Math.round(Math.min(Math.max(intervalMs, 1_000), longestMs))
  if (intervalMs < 1_000) fields.note('interval', 'is set to 1s, the shortest that is allowed')
  if (intervalMs > longestMs)
    fields.note('interval', `is set to ${asDuration(longestMs)}, the longest that can be written`)
  const written: WrittenTiming = { interval: asDuration(interval) }
  if (timeoutMs !== null && timeoutMs > 0) {
    if (timeoutMs > interval) fields.note('timeout', 'is set to the interval, the longest that is allowed')
    written.timeout = asDuration(Math.max(1, Math.min(timeoutMs, interval)))
  }
  if (failures !== undefined) written.unhealthy_threshold = threshold(failures, 'failures', fields)
  if (successes !== undefined) written.healthy_threshold = threshold(successes, 'successes', fields)
  return written
}

function threshold(count: number, what: string, fields: Fields): number {
  const allowed = Math.min(Math.max(Math.round(count), 1), highestThreshold)
  if (allowed !== count)
    fields.note('', `needs ${allowed} ${what} in a row, the nearest number that is allowed`)
  return allowed
}

/** Tags and labels, as far as they fit; empty parts are left out of the file. */
export class Markings {
  readonly #tags = new Set<string>()
  readonly #labels = new Map<string, string>()
  readonly #fields: Fields

  constructor(fields: Fields) {
    this.#fields = fields
  }

  tag(text: string): void {
    const tag = [...text.trim()].slice(0, longestTag).join('')
    if (tag !== text.trim()) this.#fields.note('tags', 'are cut to 64 characters')
    if (tag === '') return
    if (this.#tags.size < mostTags) this.#tags.add(tag)
    else this.#fields.note('tags', 'are more than 64; the first 64 are carried over')
  }

  /** Becomes a tag if the name is not valid for a label. */
  label(name: string, value: string): void {
    if (!labelName.test(name) || this.#labels.has(name) || [...value].length > 256)
      this.tag(`${name}: ${value}`)
    else this.#labels.set(name, value)
  }

  written(): { tags?: string[]; labels?: Record<string, string> } {
    return {
      ...(this.#tags.size === 0 ? {} : { tags: [...this.#tags] }),
      ...(this.#labels.size === 0 ? {} : { labels: Object.fromEntries(this.#labels) }),
    }
  }
}

/** host:port, also with an IPv6 address in brackets. */
export function splitAddress(text: string): { host: string; port: number | null } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::([0-9]{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  return host === undefined
    ? { host: text, port: null }
    : { host, port: port === undefined ? null : Number(port) }
}

/** Drops members without a value. */
export function stated<Members extends object>(members: Members): Partial<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Partial<Members>
}
