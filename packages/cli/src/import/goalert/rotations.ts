// import/goalert/rotations.ts: the rotations of GoAlert as layers of a schedule. GoAlert remembers whose turn it is, so a layer
// begins with the turn that is running: it ends at the next hand-over.
import { LocalTime } from '@pulseward/server'
import type { Fields } from '../fields.ts'
import { type FleetDraft, NotCarried } from '../fleet-draft.ts'
import { localMoment, momentOf, zoneOf } from './local-moments.ts'
import type { People } from './people.ts'

const hourMs = 3_600_000
const units = {
  hourly: { letter: 'h', ms: hourMs },
  daily: { letter: 'd', ms: 24 * hourMs },
  weekly: { letter: 'w', ms: 168 * hourMs },
} as const
const mostPeople = 100
/** A layer of one person has no hand-overs; it began long ago. */
const longAgo = '2000-01-01T00:00'

export interface LayerDraft {
  readonly people: readonly string[]
  readonly start: string
  readonly every?: string
}

export class Rotations {
  readonly #fields: ReadonlyMap<string, Fields>
  readonly #people: People
  readonly #draft: FleetDraft
  /** By the id of the rotation and the zone of its layer. */
  readonly #layers = new Map<string, LayerDraft | null>()

  constructor(rotations: readonly Fields[], people: People, draft: FleetDraft) {
    this.#fields = new Map(rotations.map((fields) => [fields.text('id') ?? '', fields]))
    this.#people = people
    this.#draft = draft
    for (const fields of rotations)
      fields.pass('id', 'name', 'description', 'start', 'type', 'shiftLength', 'timeZone', ...turnFields)
  }

  /** Undefined if the answer does not have it. */
  named(id: string): { readonly name: string; readonly timezone: string } | undefined {
    const fields = this.#fields.get(id)
    return fields === undefined ? undefined : { name: fields.subject, timezone: zoneOf(fields) ?? 'UTC' }
  }

  /** On the clocks of a zone; null if it cannot be carried over, which is noted. */
  layer(id: string, timezone: string): LayerDraft | null {
    const key = `${timezone}\n${id}`
    const known = this.#layers.get(key)
    if (known !== undefined) return known
    const fields = this.#fields.get(id)
    let layer: LayerDraft | null = null
    if (fields !== undefined)
      this.#draft.carry(fields, () => {
        layer = this.#read(fields, timezone)
      })
    this.#layers.set(key, layer)
    return layer
  }

  /** The layer of one person. */
  of(person: string): LayerDraft {
    return { people: [person], start: longAgo }
  }

  /** After everything that may name a rotation was read. */
  noteUnused(): void {
    const used = new Set([...this.#layers.keys()].map((key) => key.slice(key.indexOf('\n') + 1)))
    for (const [id, fields] of this.#fields)
      if (!used.has(id)) fields.note('', 'is not carried over: no schedule and no policy uses it')
  }

  #read(fields: Fields, timezone: string): LayerDraft {
    const type = fields.text('type') ?? ''
    const unit = Object.hasOwn(units, type) ? units[type as keyof typeof units] : undefined
    const length = fields.number('shiftLength') ?? 1
    if (unit === undefined)
      throw new NotCarried('type', 'turns here are hours, days or weeks; write a layer for it')
    if (!Number.isInteger(length) || length < 1 || length > 9_999)
      throw new NotCarried('shiftLength', 'it is not a whole number from 1 to 9999')
    if (zoneOf(fields) !== timezone)
      fields.note('timeZone', 'is not the one of its schedule; hand-overs are on the clocks of the schedule')
    const users = fields.texts('userIDs')
    const active = fields.number('activeUserIndex') ?? 0
    const [handoff] = fields.list('nextHandoffTimes')
    const fromActive = users.slice(active)
    const inTurn = [...fromActive, ...users.slice(0, users.length - fromActive.length)]
    const people = inTurn.flatMap((user) => this.#people.get(user) ?? [])
    if (people.length === 0) throw new NotCarried('userIDs', 'none of these people is carried over')
    if (people.length < users.length)
      fields.note('userIDs', 'have people who are not carried over; the others take turns')
    if (people.length > mostPeople) throw new NotCarried('userIDs', `they are more than ${mostPeople} people`)
    const zone = LocalTime.of(timezone)
    const endMs = momentOf(handoff)
    const startMs = endMs === null ? momentOf(fields.take('start')) : zone.localMs(endMs) - length * unit.ms
    const start = localMoment(endMs === null && startMs !== null ? zone.localMs(startMs) : startMs)
    if (start === null) throw new NotCarried('start', 'it is not a time')
    if (endMs === null && people.length > 1)
      fields.note('nextHandoffTimes', 'are missing: whose turn it is now is not known')
    return { people, start, every: `${length}${unit.letter}` }
  }
}

const turnFields = ['activeUserIndex', 'userIDs', 'nextHandoffTimes'] as const
