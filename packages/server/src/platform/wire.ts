// platform/wire.ts: the wire form of our own records: snake_case names, RFC 3339 times.

/** From our names to those on the wire: arrivalCv is arrival_cv, p99Ms is p99_ms. */
export function toWire(record: object, times: readonly string[] = []): Record<string, unknown> {
  const wire: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    const isTime = times.includes(name)
    wire[snakeCase(name)] = isTime ? timestamp(value as number | null) : nested(value)
  }
  return wire
}

function nested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nested)
  return typeof value === 'object' && value !== null ? toWire(value) : value
}

const names = new Map<string, string>()

function snakeCase(name: string): string {
  let known = names.get(name)
  if (known === undefined) {
    known = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    // Names come from our own records, so there are few.
    names.set(name, known)
  }
  return known
}

/** Null stays null: there is no zero date. */
export function timestamp(epochMs: number): string
export function timestamp(epochMs: number | null): string | null
export function timestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString()
}
