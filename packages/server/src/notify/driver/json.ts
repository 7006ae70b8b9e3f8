// notify/driver/json.ts: reads the answers of providers, which may be anything. Pure.

/** The object that a text holds; null where it is no JSON or no object. */
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
