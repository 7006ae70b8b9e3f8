// platform/duration.ts: durations as people write them (250ms, 30s, 5m, 1h) and as the program counts them.
const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const pattern = /^(0|[1-9][0-9]{0,8})(ms|s|m|h)$/

/** A fleet repeats the same few durations a million times; the bound keeps a hostile file from filling the cache. */
const known = new Map<string, number | null>()
const mostKnown = 4096

/** Milliseconds, or null if the text is not a duration. */
export function parseDuration(text: string): number | null {
  const remembered = known.get(text)
  if (remembered !== undefined) return remembered
  const [, amount, unit] = pattern.exec(text) ?? []
  const ms = unit === undefined ? null : Number(amount) * unitMs[unit as keyof typeof unitMs]
  if (known.size < mostKnown) known.set(text, ms)
  return ms
}

/** Milliseconds of a text that its schema accepts as a duration. */
export function durationMs(text: string): number {
  const ms = parseDuration(text)
  if (ms === null) throw new RangeError(`"${text}" is not a duration.`)
  return ms
}

/** The shortest exact form: 90000 is 90s, 3600000 is 1h. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s'
  for (const unit of ['h', 'm', 's'] as const) {
    if (ms % unitMs[unit] === 0) return `${ms / unitMs[unit]}${unit}`
  }
  return `${ms}ms`
}
