// notify/driver/json.ts: reads JSON answers of providers, which may contain anything. Pure.

/** The object in a JSON text; null if it is not JSON or not an object. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return null
  }
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : null
}
