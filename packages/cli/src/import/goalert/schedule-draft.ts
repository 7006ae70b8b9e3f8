// import/goalert/schedule-draft.ts: what a schedule of GoAlert becomes. There, everyone whose rule holds is on call; a schedule
// here has one person at a time. So targets whose rules overlap go to schedules of their own, and policies tell all of them.
import { LocalTime, rotaOf, scheduleDefinition } from '@pulseward/server'
import type { FleetDraft } from '../fleet-draft.ts'
import { localMoment } from './local-moments.ts'
import type { LayerDraft } from './rotations.ts'
import { minutesOf, type WrittenHours } from './rules.ts'

const mostHours = 32
const mostLayers = 32
const mostOverrides = 1_000

interface WrittenLayer extends LayerDraft {
  readonly hours?: readonly WrittenHours[]
}

interface Override {
  readonly fromMs: number
  readonly toMs: number
  readonly person: string
}

interface Part {
  readonly id: string
  readonly minutes: Uint8Array
  readonly layers: WrittenLayer[]
  /** In local time. */
  readonly overrides: Override[]
}

/** A span of time, in milliseconds since 1970. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

export class ScheduleDraft {
  readonly timezone: string
  readonly #name: string
  readonly #draft: FleetDraft
  readonly #parts: Part[] = []

  constructor(name: string, timezone: string, draft: FleetDraft) {
    this.#name = name
    this.timezone = timezone
    this.#draft = draft
  }

  /** Of the schedules of the fleet file; empty if nothing could be carried over. */
  get ids(): readonly string[] {
    return this.#parts.map(({ id }) => id)
  }

  /** False if it has more hours than can be written. */
  add(layer: LayerDraft, hours: readonly WrittenHours[] | null): boolean {
    const minutes = minutesOf(hours)
    const layers: WrittenLayer[] = hours === null ? [layer] : []
    for (let from = 0; from < (hours ?? []).length; from += mostHours)
      layers.push({ ...layer, hours: hours!.slice(from, from + mostHours) })
    if (layers.length > mostLayers) return false
    const part =
      this.#parts.find(
        (known) =>
          known.layers.length + layers.length <= mostLayers &&
          !known.minutes.some((taken, minute) => taken === 1 && minutes[minute] === 1),
      ) ?? this.#newPart()
    part.layers.push(...layers)
    for (const [minute, taken] of minutes.entries()) if (taken === 1) part.minutes[minute] = 1
    return true
  }

  /** Puts a person on call, whatever the layers say; false if others are put there already. */
  override({ fromMs, toMs }: Span, person: string): boolean {
    const span = this.#local(fromMs, toMs)
    return span !== null && this.#parts.some((part) => put(part, { ...span, person }))
  }

  /** Puts a person in another's place wherever they are on call in this time; false if it changes nothing. */
  replace({ fromMs, toMs }: Span, replaced: string, person: string): boolean {
    let isChanged = false
    for (const part of this.#parts)
      for (const shift of rotaOf(this.#definition(part)).calendar(fromMs, toMs, mostOverrides)) {
        if (shift.person !== replaced) continue
        const span = this.#local(shift.fromMs, shift.untilMs)
        if (span !== null && put(part, { ...span, person })) isChanged = true
      }
    return isChanged
  }

  write(draft: FleetDraft): void {
    for (const { id, layers, overrides } of this.#parts) {
      const written = overrides.map(({ fromMs, toMs, person }) => ({
        from: localMoment(fromMs),
        to: localMoment(toMs),
        person,
      }))
      const more = written.length === 0 ? {} : { overrides: written }
      draft.schedules.set(id, { timezone: this.timezone, layers, ...more })
    }
  }

  #newPart(): Part {
    const id = this.#draft.scheduleId(this.#name)
    const part = { id, minutes: minutesOf([]), layers: [], overrides: [] }
    this.#parts.push(part)
    return part
  }

  #definition({ layers }: Part) {
    return scheduleDefinition({ timezone: this.timezone, layers } as Parameters<typeof scheduleDefinition>[0])
  }

  #local(fromMs: number, toMs: number): Span | null {
    const zone = LocalTime.of(this.timezone)
    const span = { fromMs: wholeMinute(zone.localMs(fromMs)), toMs: wholeMinute(zone.localMs(toMs)) }
    return span.fromMs < span.toMs ? span : null
  }
}

function put({ overrides }: Part, override: Override): boolean {
  const isTaken = overrides.some(({ fromMs, toMs }) => fromMs < override.toMs && override.fromMs < toMs)
  if (isTaken || overrides.length >= mostOverrides) return false
  overrides.push(override)
  return true
}

function wholeMinute(ms: number): number {
  return Math.floor(ms / 60_000) * 60_000
}
