// simulation/oracle/log-rules.ts: the log as a whole: its position only grows, a number belongs to one
// monitor for ever, revisions and counters never decrease, and no secret is in it.
import type { RecordedBecause } from '@pulseward/server/internal/deciding/health/because.ts'
import type { CommitBatch, StoredEvent, StoredIdentity } from '@pulseward/server/internal/store/store.ts'
import { secretMark } from '../fleet-plan.ts'
import type { Findings } from './findings.ts'
import type { Scene } from './scene.ts'

export class LogRules {
  /** As it should be on disk; the event at index 0 has position 1. */
  readonly events: StoredEvent[] = []
  /** Why each action was queued, as it should be on disk. Of one that ends as it is queued no event says so. */
  readonly reasons = new Map<string, RecordedBecause>()
  /** In the order in which they were opened. */
  readonly incidents: { readonly id: string; readonly monitorId: string }[] = []
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #ownerOf = new Map<number, string>()
  readonly #identities = new Map<string, StoredIdentity>()
  readonly #shown = new Map<string, { readonly healthy: number; readonly total: number }>()
  #promised = 0

  constructor(scene: Scene, findings: Findings) {
    this.#scene = scene
    this.#findings = findings
  }

  written(batch: CommitBatch): void {
    for (const identity of batch.identities) this.#checkIdentity(identity)
    for (const { id, because } of batch.actions) this.reasons.set(id, because ?? null)
    for (const event of batch.events) {
      this.events.push(event)
      this.#checkEvent(event)
      const { type, incidentId, monitorId } = event
      if (type === 'incident_opened' && incidentId !== null && monitorId !== null)
        this.incidents.push({ id: incidentId, monitorId })
    }
    this.discreet('a batch', [batch.events, batch.actions, batch.states, batch.destinations])
    if (batch.resources.length > 0) this.discreet('a batch', [batch.resources, batch.operations])
  }

  /** The service may rely on it from now on. */
  acknowledged(position: number): void {
    this.#checkPosition(position)
    this.#promised = Math.max(this.#promised, position)
  }

  recovered(position: number): void {
    this.#checkPosition(position)
    if (position !== this.events.length)
      this.#findings.note('5 position', `the log has ${this.events.length} events and begins at ${position}`)
  }

  /** Checks the counters that are shown; after a restart they are those of the last checkpoint. */
  look(): void {
    const { fleet, parts } = this.#scene.running
    this.#checkPosition(parts.journal.position)
    const { shownHealthySamples, shownTotalSamples } = fleet.columns
    for (const [id, row] of this.#scene.rows()) {
      const healthy = shownHealthySamples[row]!
      const total = shownTotalSamples[row]!
      const last = this.#shown.get(id)
      if (last !== undefined && (healthy < last.healthy || total < last.total))
        this.#findings.note(
          'counters',
          `${id} shows ${healthy} of ${total} after ${last.healthy} of ${last.total}`,
        )
      if (last?.healthy !== healthy || last.total !== total) this.#shown.set(id, { healthy, total })
    }
  }

  /** The counters of a monitor that comes back start anew. */
  reloaded(): void {
    for (const id of this.#shown.keys()) if (!this.#scene.plan.monitors.has(id)) this.#shown.delete(id)
  }

  discreet(where: string, said: unknown): void {
    const text = typeof said === 'string' ? said : JSON.stringify(said)
    if (text.includes(secretMark)) this.#findings.note('9 secrets', `${where} holds a secret`)
  }

  #checkPosition(position: number): void {
    if (position < this.#promised)
      this.#findings.note('5 position', `the position falls from ${this.#promised} to ${position}`)
  }

  #checkIdentity(identity: StoredIdentity): void {
    const { monitorId, numericId, revision } = identity
    const owner = this.#ownerOf.get(numericId)
    const last = this.#identities.get(monitorId)
    if (owner !== undefined && owner !== monitorId)
      this.#findings.note('numbers', `the number ${numericId} of ${owner} is given to ${monitorId}`)
    if (last !== undefined && last.numericId !== numericId)
      this.#findings.note('numbers', `${monitorId} was ${last.numericId} and becomes ${numericId}`)
    if (last !== undefined && revision < last.revision)
      this.#findings.note('numbers', `the revision of ${monitorId} falls to ${revision}`)
    this.#ownerOf.set(numericId, monitorId)
    this.#identities.set(monitorId, identity)
  }

  #checkEvent({ monitorId, numericId, type }: StoredEvent): void {
    if (monitorId === null) return
    if (this.#identities.get(monitorId)?.numericId !== numericId)
      this.#findings.note('numbers', `the event ${type} of ${monitorId} has the number ${numericId}`)
  }
}
