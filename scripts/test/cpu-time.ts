// scripts/test/cpu-time.ts: CPU time from the kernel: of this process, and of all its child processes that
// have ended. Linux only; elsewhere it is unknown.
import { existsSync, readFileSync } from 'node:fs'

export interface CpuTime {
  readonly ownMs: number
  /** Of the ended child processes, including theirs. */
  readonly endedMs: number
}

/** The kernel counts in ticks of a hundredth of a second on every platform of Node.js. */
const tickMs = 10
const stat = '/proc/self/stat'

export const isCpuTimeKnown: boolean = existsSync(stat)

export function cpuTime(): CpuTime {
  if (!isCpuTimeKnown) return { ownMs: 0, endedMs: 0 }
  // The name of the program is in parentheses and may contain anything; the fields are counted from after the last one.
  const text = readFileSync(stat, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticksOf = (...places: number[]) => places.reduce((sum, place) => sum + Number(fields[place]), 0)
  return { ownMs: ticksOf(11, 12) * tickMs, endedMs: ticksOf(13, 14) * tickMs }
}
