// platform/descriptors.ts: how many file descriptors this process has open, and how many it may have.
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'

/** Null if the system does not say. */
export function descriptorLimit(): number | null {
  try {
    const match = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return match === null ? null : Number(match[1])
  } catch {
    return null
  }
}

/** Null if the system does not say. */
export async function openDescriptors(): Promise<number | null> {
  try {
    // Minus the one that readdir itself has open.
    return (await readdir('/proc/self/fd')).length - 1
  } catch {
    return null
  }
}
