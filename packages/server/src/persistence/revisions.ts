// persistence/revisions.ts: writes what configuration was before it changed, and until when, so that an earlier moment can be
// explained. Quiet configuration costs nothing. What a reload changes is written in slices, like identities: a million
// changed monitors must not hold up a turn. What changed while no process was running is written as unknown, unless it is
// shared by monitors and therefore kept.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { Instant } from '../deciding/health/health.ts'
import { type Arrangement, changedParts } from '../fleet/arrangement.ts'
import { changedGroups, DescriptionDigests } from '../fleet/description-digests.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { FleetChange } from '../fleet/fleet-change.ts'
import { type MonitorForm, monitorFormOf } from '../fleet/monitor-form.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import type { RevisionForm, RevisionKind, StoredRevision } from '../store/revision.ts'
import type { Recovered } from '../store/store.ts'
import type { Journal } from './journal.ts'
import { SharedForms } from './shared-forms.ts'

/** Revisions per turn: a few milliseconds. */
const atOnce = 2_048
/** If more monitors than this changed while no process was running, the whole record begins anew. */
export const mostUnseen = 10_000

/** Monitors by id; null for one that is not in the fleet. */
export type FormsBefore = ReadonlyMap<string, MonitorForm | null>

/** What changed while no process was running, by the identities of monitors. */
export interface Unseen {
  readonly changed: readonly string[]
  readonly added: readonly string[]
}

/** Some revisions of monitors that are still to be written. */
interface Slice {
  readonly until: Instant
  readonly count: number
  readonly of: (index: number) => readonly [id: string, form: RevisionForm]
  next: number
}

export class Revisions {
  readonly #fleet: Fleet
  readonly #journal: Journal
  readonly #recovered: Recovered | null
  readonly #shared: SharedForms
  #waiting: Slice[] = []
  #digests: DescriptionDigests | null = null
  /** The digests that are stored, and since when changes count as unseen; null once they were compared. */
  #stored: string | null
  #unseenUntil: Instant | null = null
  /** What was written with this end: of several changes in one instant, only the first ended something. */
  #ended: { until: Instant; keys: Set<string> } = { until: Number.NaN, keys: new Set() }
  #uncommitted = 0
  #written = 0

  constructor(fleet: Fleet, journal: Journal, recovered: Recovered | null) {
    this.#fleet = fleet
    this.#journal = journal
    this.#recovered = recovered
    const kept = recovered?.revisions ?? []
    this.#shared = new SharedForms(kept.filter(({ kind }) => kind !== 'Record' && kind !== 'Descriptions'))
    const digests = kept.find(({ kind }) => kind === 'Descriptions')?.form
    this.#stored = typeof digests === 'object' ? String(digests['digests']) : null
  }

  /** How many were written: grows with every change. */
  get written(): number {
    return this.#written
  }

  /** Whether something that has changed is not on disk yet. */
  get isBehind(): boolean {
    return this.#waiting.length > 0 || this.#uncommitted > 0 || this.#unseenUntil !== null
  }

  /** The fleet of this process is in force, in the turn that restores what the previous process left. */
  begin(now: Instant, { changed, added }: Unseen): void {
    if (this.#recovered === null) return
    const { restoredFrom, revisions } = this.#recovered
    const isKept = revisions.some(({ kind }) => kind === 'Record')
    if (!isKept) this.#keep({ kind: 'Record', id: '', until: null, form: { since: now } })
    const isUnknown = !isKept || restoredFrom !== null || changed.length + added.length > mostUnseen
    if (isUnknown) this.#end('Record', '', now, 'unknown')
    else {
      for (const id of changed) this.#end('Monitor', id, now, 'unknown')
      for (const id of added) this.#end('Monitor', id, now, 'none')
    }
    this.#sharedChanged(now, isKept)
    this.#unseenUntil = isUnknown || this.#stored === null ? null : now
    this.#startDigests()
  }

  /** To be asked before the change is made. */
  formsBefore({ entries, removed }: FleetChange): FormsBefore {
    const forms = new Map<string, MonitorForm | null>()
    if (this.#recovered === null) return forms
    const ids = new PackedReader(entries.ids)
    const formOf = (id: string) => {
      const row = this.#fleet.rowOf(id)
      return row === -1 ? null : monitorFormOf(this.#fleet.definition, row)
    }
    for (const id of removed) forms.set(id, formOf(id))
    for (let entry = 0; entry < entries.count; entry++) forms.set(ids.get(entry), formOf(ids.get(entry)))
    return forms
  }

  /** Single monitors, or what they share, were changed. */
  amended(now: Instant, before: FormsBefore, { changed, changedBits }: Arrangement): void {
    if (this.#recovered === null) return
    const rows = new Set(changed.filter((_, index) => isInForm(changedBits[index]!)))
    const ended = [...before].filter(([id, form]) => {
      const row = this.#fleet.rowOf(id)
      return form === null ? row !== -1 : row === -1 || rows.has(row)
    })
    this.#wait(now, ended.length, (index) => [ended[index]![0], formOf(ended[index]![1])])
    this.#sharedChanged(now, true)
    this.advance()
  }

  /** The whole fleet was replaced. Rows without a monitor before it or after it are not read. */
  replaced(now: Instant, before: FleetDefinition, arrangement: Arrangement): void {
    if (this.#recovered === null) return
    const { added, removed, changed, changedBits, definition } = arrangement
    const [idsBefore, ids] = [new PackedReader(before.ids), new PackedReader(definition.ids)]
    const ended = Uint32Array.from([
      ...removed,
      ...changed.filter((_, index) => isInForm(changedBits[index]!)),
    ])
    this.#wait(now, ended.length, (index) => [
      idsBefore.get(ended[index]!),
      formOf(monitorFormOf(before, ended[index]!)),
    ])
    this.#wait(now, added.length, (index) => [ids.get(added[index]!), 'none'])
    this.#sharedChanged(now, true)
    this.#startDigests()
    this.advance()
  }

  /** Writes some more of what waits; true if nothing does. */
  advance(): boolean {
    let left = atOnce
    for (let slice = this.#waiting[0]; slice !== undefined && left > 0; slice = this.#waiting[0]) {
      for (; slice.next < slice.count && left > 0; slice.next++, left--) {
        const [id, form] = slice.of(slice.next)
        this.#end('Monitor', id, slice.until, form)
      }
      if (slice.next === slice.count) this.#waiting.shift()
    }
    if (this.#waiting.length === 0 && this.#digests?.advance() === true) this.#digestsRead(this.#digests.text)
    return this.#waiting.length === 0 && this.#digests === null
  }

  writeAll(): void {
    while (!this.advance());
  }

  #wait(until: Instant, count: number, of: Slice['of']): void {
    if (count > 0) this.#waiting.push({ until, count, of, next: 0 })
  }

  #sharedChanged(now: Instant, isKept: boolean): void {
    for (const { kind, id, before, now: form } of this.#shared.changed(this.#fleet.definition)) {
      if (isKept) this.#end(kind, id, now, before)
      this.#keep({ kind, id, until: null, form })
    }
  }

  #startDigests(): void {
    this.#digests = new DescriptionDigests(this.#fleet.definition, (row) => this.#fleet.has(row))
  }

  #digestsRead(text: string): void {
    if (this.#unseenUntil !== null && this.#stored !== null)
      for (const group of changedGroups(this.#stored, text))
        this.#end('Descriptions', group, this.#unseenUntil, 'unknown')
    if (text !== this.#stored)
      this.#keep({ kind: 'Descriptions', id: '', until: null, form: { digests: text } })
    this.#stored = text
    this.#unseenUntil = null
    this.#digests = null
  }

  #end(kind: RevisionKind, id: string, until: Instant, form: RevisionForm): void {
    if (this.#ended.until !== until) this.#ended = { until, keys: new Set() }
    const key = `${kind} ${id}`
    if (this.#ended.keys.has(key)) return
    this.#ended.keys.add(key)
    this.#keep({ kind, id, until, form })
  }

  #keep(revision: StoredRevision): void {
    this.#journal.keep('revisions', revision)
    this.#uncommitted++
    this.#written++
    this.#journal.afterCommit(() => this.#uncommitted--)
  }
}

/** The options of its check are not compared by any rule. */
function isInForm(bits: number): boolean {
  return (bits & ~changedParts.check) !== 0
}

function formOf(form: MonitorForm | null): RevisionForm {
  return form === null ? 'none' : { ...form }
}
