// config/fleet-file/duplicate-keys.ts: finds duplicate keys in JSON. JSON.parse silently keeps the last of
// two equal keys, so a monitor with two intervals would run with one of them. If fewer keys were parsed than
// written, one was duplicated.

/** Counts colons outside strings: valid JSON has exactly one per key. */
export function countKeysInJson(bytes: Uint8Array): number {
  let keys = 0
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (inString) {
      if (byte === 0x5c) index++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x3a) keys++
  }
  return keys
}

export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item)
    return keys
  }
  for (const key in value) {
    keys++
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && inner !== null) keys += countKeys(inner)
  }
  return keys
}
