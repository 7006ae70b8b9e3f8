// simulation/oracle/replay-rules.ts: the log is the truth. When everything is on disk, what is read back
// (states, actions, events, identities, destinations) equals the state of the live process.
import { isDeepStrictEqual } from 'node:util'
import type { DestinationRecord } from '@pulseward/server/internal/deciding/actions/destination.ts'
import { controlRevisionOf, type Health } from '@pulseward/server/internal/deciding/health/health.ts'
import type { CommitBatch, StoredIdentity } from '@pulseward/server/internal/store/store.ts'
import type { ActionRules } from './action-rules.ts'
import type { Findings } from './findings.ts'
import type { IncidentRules } from './incident-rules.ts'
import type { Scene } from './scene.ts'

export class ReplayRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #actions: ActionRules
  readonly #incidents: IncidentRules
  readonly #states = new Map<number, Health>()
  readonly #identities = new Map<string, StoredIdentity>()
  /** Parts of live states that equal parts of stored ones: both are immutable, so they need not be compared again. */
  readonly #sameAs = new WeakMap<object, object>()
  #destinations: NonNullable<CommitBatch['destinations']> = []

  constructor(scene: Scene, findings: Findings, actions: ActionRules, incidents: IncidentRules) {
    this.#scene = scene
    this.#findings = findings
    this.#actions = actions
    this.#incidents = incidents
  }

  written({ states, identities, destinations }: CommitBatch): void {
    for (const { numericId, health } of states) {
      if (health === null) this.#states.delete(numericId)
      else this.#states.set(numericId, health)
    }
    for (const identity of identities) this.#identities.set(identity.monitorId, identity)
    if (destinations !== null) this.#destinations = destinations
  }

  /** Called when everything that was decided is on disk. */
  compare(): void {
    const { parts, fleet } = this.#scene.running
    const { ledger, identities } = parts
    for (const [id, row] of this.#scene.rows()) {
      this.#compareHealth(id, fleet.columns.numericId[row]!, parts.health.of(row))
      // Identities are written in slices, or with the first record that names them.
      if (identities.areWritten)
        this.#compareIdentity(id, identities.numberOf(row), identities.revisionOf(row))
      if ((this.#identities.get(id)?.controlsBefore ?? 0) !== identities.controlsBefore(row))
        this.#note(`the control revisions of ${id} go on from another one than on disk`)
    }
    let open = 0
    for (const action of this.#actions.open()) {
      open++
      const live = ledger.view.openActionsOf(action.monitorId).find(({ id }) => id === action.id)
      if (live?.revision !== action.revision || live.state !== action.state)
        this.#note(`${action.id} is ${action.state} on disk and ${live?.state ?? 'unknown to the ledger'}`)
    }
    const liveOpen = this.#liveOpenActions()
    if (liveOpen > open) this.#note(`the ledger has ${liveOpen} open actions and the disk ${open}`)
    if (ledger.view.unknownActions !== this.#actions.unknownCount)
      this.#note(
        `${ledger.view.unknownActions} actions are unknown, and on disk ${this.#actions.unknownCount}`,
      )
    const live = inTrouble(ledger.view.destinationRecords())
    const kept = inTrouble(this.#destinations)
    if (live !== kept) this.#note(`destinations: ${live}; on disk: ${kept}`)
  }

  #compareIdentity(id: string, numericId: number, revision: number): void {
    const stored = this.#identities.get(id)
    if (stored?.numericId !== numericId || stored.removedAt !== null)
      this.#note(`the identity of ${id} is not the one on disk`)
    else if (stored.revision !== revision) this.#note(`${id} has another revision than on disk`)
  }

  #compareHealth(id: string, numericId: number, live: Health): void {
    const stored = this.#states.get(numericId)
    const incidentId = live.episode?.incident?.id ?? null
    if (incidentId !== this.#incidents.openIncidentOf(id))
      this.#note(`${id} has the incident ${incidentId}, the log says ${this.#incidents.openIncidentOf(id)}`)
    const firstControl = (this.#identities.get(id)?.controlsBefore ?? 0) + 1
    if (stored === undefined ? !needsNoState(live, firstControl) : !this.#isSame(stored, live))
      this.#note(`the health of ${id} is not what is on disk: ${words(live)} and ${words(stored)}`)
  }

  #isSame(stored: Health, live: Health): boolean {
    if (stored === live) return true
    const names = Object.keys(live) as (keyof Health)[]
    return (
      names.length === Object.keys(stored).length &&
      names.every((name) => countsInProcess.has(name) || this.#isSamePart(stored[name], live[name]))
    )
  }

  #isSamePart(stored: Health[keyof Health], live: Health[keyof Health]): boolean {
    if (stored === live) return true
    if (!isObject(stored) || !isObject(live)) return false
    if (this.#sameAs.get(live) === stored) return true
    const isSame = isDeepStrictEqual(stored, live)
    if (isSame) this.#sameAs.set(live, stored)
    return isSame
  }

  #liveOpenActions(): number {
    const { view } = this.#scene.running.parts.ledger
    let open = 0
    for (const id of [null, ...this.#identities.keys()]) open += view.openActionsOf(id).length
    return open
  }

  #note(text: string): void {
    this.#findings.note('10 replay', text)
  }
}

/** These start anew with each process. */
const countsInProcess: ReadonlySet<keyof Health> = new Set(['generation', 'checkRevision'])

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Ignores the reason and the time, which may come from a clock that was set since. */
function inTrouble(records: readonly DestinationRecord[]): string {
  const troubled = records.filter(({ dead, ailing }) => dead !== null || ailing !== null)
  const words = troubled.map(({ name, dead, ailing }) => `${name} ${dead !== null} ${ailing !== null}`)
  return words.sort().join(', ')
}

/** Its columns and its identity contain everything. */
function needsNoState(health: Health, firstControl: number): boolean {
  const { lifecycle, episode, intervention, hold, warning, maintenance, snooze } = health
  const isEmpty = episode === null && intervention === null && hold === null && warning === null
  const isUntouched = maintenance === null && snooze === null && controlRevisionOf(health) === firstControl
  return lifecycle === 'enabled' && isEmpty && isUntouched
}

function words(health: Health | undefined): string {
  return JSON.stringify(health ?? null)
}
