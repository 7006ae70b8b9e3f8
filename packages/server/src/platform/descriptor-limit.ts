// platform/descriptor-limit.ts: how many files and sockets this process may have open at once.
import { readFileSync } from 'node:fs'

/** Null where the system does not say. */
export function descriptorLimit(): number | null {
  try {
    const match = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return match === null ? null : Number(match[1])
  } catch {
    return null
  }
}
