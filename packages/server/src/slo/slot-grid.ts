// slo/slot-grid.ts: the time of the SLO window, cut into slots of five seconds that are numbered from its origin.
// The window is the slot that time is in and the 59 before it. Times are monotonic milliseconds, passed in.

export const SLOT_MS = 5_000
export const SLOTS = 60
export const WINDOW_MS = SLOT_MS * SLOTS

export class SlotGrid {
  readonly originMs: number

  constructor(originMs: number) {
    // Schedules are whole milliseconds; with whole slot edges too, counting slots by division is exact.
    this.originMs = Math.floor(originMs)
  }

  /** Negative for a time before the origin. */
  slotOf(timeMs: number): number {
    return Math.floor((timeMs - this.originMs) / SLOT_MS)
  }

  startOf(slot: number): number {
    return this.originMs + slot * SLOT_MS
  }

  oldestSlotAt(nowMs: number): number {
    return this.slotOf(nowMs) - SLOTS + 1
  }

  /** The first slot that did not yet end more than graceMs ago; every earlier one did. */
  firstSlotWithin(graceMs: number, nowMs: number): number {
    return Math.ceil((nowMs - graceMs - this.originMs) / SLOT_MS) - 1
  }
}
