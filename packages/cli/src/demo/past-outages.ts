// demo/past-outages.ts: the outages of the made-up month: some a week in the whole fleet, most of them short. Drawn like the
// outages of the demo itself (life.ts), but at the pace of a real month.
import { draw } from './draws.ts'
import { rackCount, type World } from './life.ts'

export interface Outage {
  /** The number of the monitor that it began with: for a rack, that of its gateway. */
  readonly subject: number
  readonly fromMs: number
  readonly toMs: number
  /** It answers, but late. */
  readonly isSlow: boolean
}

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

const parts = 6
const chances = { rack: 0.25, monitor: 0.1 }
const slowShare = 0.25
const shortestMs = 4 * 60_000
const longestMs = 240 * 60_000
const purpose = { happens: -100, begins: -110, lasts: -120, slow: -130 }

/** At most one in each part of the month. */
export function outagesOf({ seed }: World, subject: number, { fromMs, toMs }: Span): Outage[] {
  const isRack = subject < rackCount
  const partMs = (toMs - fromMs) / parts
  return Array.from({ length: parts }, (_, part) => {
    const drawn = (what: keyof typeof purpose) => draw(seed, subject, purpose[what] - part)
    if (drawn('happens') >= (isRack ? chances.rack : chances.monitor)) return []
    const lengthMs = shortestMs + (longestMs - shortestMs) * drawn('lasts') ** 4
    const beginsMs = fromMs + (part + drawn('begins') * 0.9) * partMs
    const isSlow = !isRack && drawn('slow') < slowShare
    return [{ subject, fromMs: Math.round(beginsMs), toMs: Math.round(beginsMs + lengthMs), isSlow }]
  }).flat()
}
