// demo/life.ts: what happens to the targets of a demo. Time is divided into cycles, and a draw decides whether a cycle
// has an outage, when it begins and of which kind: a pure function of seed, target and time, without state. Between one
// and two percent of the fleet are in trouble at any moment, from the first second on.
import { choose, draw } from './draws.ts'

export interface World {
  readonly seed: number
  readonly monitors: number
}

/** With this seed the first minutes show every kind of trouble. */
export const defaultWorld: World = { seed: 609, monitors: 200 }

/** How a target behaves: answers well, with an error, with "not now", not at all, or late. */
export type Condition = 'healthy' | 'failing' | 'unavailable' | 'silent' | 'slow'

export interface Answer {
  readonly condition: Condition
  readonly delayMs: number
}

/** How a monitor's target behaves now; null if there is no such monitor. */
export type Look = (monitor: number) => Answer | null

/** A rack is a port that several monitors share and that closes as a whole. */
export const rackCount = 4

const troubles = ['failing', 'unavailable', 'silent', 'slow'] as const
const cycleMs = 600_000
/** An outage takes between these shares of its cycle. */
const shortestOutage = 0.1
const longestOutage = 0.3
const monitorOutageChance = 0.06
const rackOutageChance = 0.3

/** Subjects from here on are racks; no monitor has such a number. */
const firstRackSubject = 0x4000_0000
const shiftPurpose = -1
const usualDelayPurpose = -2
const drawsPerCycle = 4

/** Two cores handle about this many monitors at the shortest intervals. */
const monitorsAtFullPace = 20_000
const mostStoried = 1_000
const mostPatience = 5
const shortestTimeoutMs = 2_000
const shortestMaxLatencyMs = 400

/** The factor by which intervals, and with them outages, are longer in a large fleet. */
export function slownessOf({ monitors }: World): number {
  return Math.max(1, Math.ceil(monitors / monitorsAtFullPace))
}

/**
 * Answers above maxLatencyMs are worth a warning; those of slow targets always are, but arrive before the
 * timeout. The first checks of a large fleet keep the targets themselves busy, so both limits grow with it.
 */
export function patienceOf(world: World): { timeoutMs: number; maxLatencyMs: number } {
  const factor = Math.min(mostPatience, slownessOf(world))
  return { timeoutMs: shortestTimeoutMs * factor, maxLatencyMs: shortestMaxLatencyMs * factor }
}

/**
 * Whether the demo tells its whole story about this fleet: notifications, recoveries, maintenance, and a past. A larger
 * one is for looking at size, and its outages would flood the inbox.
 */
export function isStoried({ monitors }: World): boolean {
  return monitors <= mostStoried
}

/** How long a target takes to answer as a rule. Most are fast and a few are not. */
export function usualDelayMs({ seed }: World, monitor: number): number {
  return 1 + 80 * draw(seed, monitor, usualDelayPurpose) ** 3
}

/** For how long a restart holds: at least until the outage is over. */
export function restartHoldsMs(world: World): number {
  return cycleMs * longestOutage * slownessOf(world)
}

export function answerOf(world: World, monitor: number, elapsedMs: number): Answer {
  const trouble = outageAt(world, monitor, monitorOutageChance, elapsedMs)
  const condition = trouble === null ? 'healthy' : choose(troubles, trouble)
  const moment = draw(world.seed, monitor, Math.floor(elapsedMs))
  if (condition === 'slow') return { condition, delayMs: patienceOf(world).maxLatencyMs * (1.5 + 2 * moment) }
  // No target takes the same time twice.
  return { condition, delayMs: usualDelayMs(world, monitor) * (0.8 + 0.4 * moment) }
}

export function isRackClosed(world: World, rack: number, elapsedMs: number): boolean {
  return outageAt(world, firstRackSubject + rack, rackOutageChance, elapsedMs) !== null
}

/** Null outside outages; within one, a draw that stays the same until it ends. */
function outageAt(world: World, subject: number, chance: number, elapsedMs: number): number | null {
  const { seed } = world
  const cycles = elapsedMs / (cycleMs * slownessOf(world)) + draw(seed, subject, shiftPurpose)
  const cycle = Math.floor(cycles)
  const drawn = (purpose: number) => draw(seed, subject, cycle * drawsPerCycle + purpose)
  if (drawn(0) >= chance) return null
  const length = shortestOutage + (longestOutage - shortestOutage) * drawn(1)
  const begin = (1 - length) * drawn(2)
  const within = cycles - cycle
  return within >= begin && within < begin + length ? drawn(3) : null
}
