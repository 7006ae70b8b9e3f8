// checking/schedule/phase.ts: when within its interval a monitor is checked. Its time slots are the multiples
// of the interval since the epoch plus a phase derived from its identity, so a restart finds the same slots,
// and a fleet is spread evenly however it was loaded. The wall clock is read once, when a monitor is armed;
// after that the slots follow monotonic time, so a clock jump moves no check.

/** A monitor that was never checked gets its first check within this time, or its interval if that is shorter. */
export const FIRST_CHECK_WITHIN_MS = 30_000

/**
 * Up to this many first checks per second are not a burst. If there are more, each monitor waits for about
 * its own time slot.
 */
export const FIRST_CHECKS_PER_SECOND = 5_000

/**
 * How long the rate of such a fleet ramps up at its first start. Code that has just been loaded is several times slower.
 */
const RISES_FOR_MS = 4_000

/** The offset of a monitor's time slots within its interval, in whole milliseconds. */
export function phaseMs(hash: number, intervalMs: number): number {
  return Math.floor((hash / 0x1_0000_0000) * intervalMs)
}

/** How long after wallMs the next time slot comes: more than 0, at most the interval. */
export function untilSlotMs(hash: number, intervalMs: number, wallMs: number): number {
  const sinceSlotMs = (Math.floor(wallMs) - phaseMs(hash, intervalMs)) % intervalMs
  return sinceSlotMs < 0 ? -sinceSlotMs : intervalMs - sinceSlotMs
}

/**
 * How long a monitor that was never checked waits, given the time until its next time slot. If the slot comes soon
 * enough, it is the first check. Otherwise there is an earlier check outside the slots. These are spread over the allowed
 * time in the order of the slots, each at least min(interval / 2, 30 s) before the slot that follows it.
 */
export function firstCheckDelayMs(untilSlot: number, intervalMs: number): number {
  if (untilSlot <= FIRST_CHECK_WITHIN_MS) return untilSlot
  if (intervalMs < 2 * FIRST_CHECK_WITHIN_MS) return Math.floor(untilSlot - intervalMs / 2)
  const share = (untilSlot - FIRST_CHECK_WITHIN_MS) / (intervalMs - FIRST_CHECK_WITHIN_MS)
  return Math.ceil(share * FIRST_CHECK_WITHIN_MS)
}

/**
 * The same for a fleet that is too large for early checks: each monitor is first checked at about its time slot, but the
 * rate ramps up from zero, so each check comes a little later. The last ones of the interval come at their slots.
 */
export function firstSlotDelayMs(untilSlot: number, intervalMs: number): number {
  const risesMs = Math.min(RISES_FOR_MS, intervalMs / 4)
  // While the rate ramps up, only half as much is done, so the rest of the interval has to make up for the other half.
  const steadyMs = (untilSlot / intervalMs) * (intervalMs - risesMs / 2)
  return Math.ceil(steadyMs < risesMs / 2 ? Math.sqrt(2 * risesMs * steadyMs) : steadyMs + risesMs / 2)
}

/** How long after a first check the next one comes: at the time slot that follows it, see firstCheckDelayMs. */
export function afterFirstCheckMs(hash: number, intervalMs: number, wallMs: number): number {
  const untilSlot = untilSlotMs(hash, intervalMs, wallMs)
  // This slot was just checked: clocks are rounded or jump, or the first check came late.
  const tooCloseMs = Math.min(intervalMs / 4, FIRST_CHECK_WITHIN_MS / 2)
  return untilSlot < tooCloseMs ? untilSlot + intervalMs : untilSlot
}
