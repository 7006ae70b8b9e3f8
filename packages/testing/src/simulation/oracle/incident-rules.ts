// simulation/oracle/incident-rules.ts: the history of each monitor in the log: opened and closed alternate, every
// destination that should be notified of an opening or an end is, and nothing opens behind an ancestor in trouble.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import { isInTrouble } from '@pulseward/server/internal/deciding/health/ancestors.ts'
import type { CommitBatch, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { ActionRules } from './action-rules.ts'
import type { Findings } from './findings.ts'
import type { Scene } from './scene.ts'

export class IncidentRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #records: ActionRules
  readonly #open = new Map<string, string>()
  readonly #episodeOf = new Map<string, string>()
  readonly #toldEpisodes = new Set<string>()
  readonly #dismissed = new Set<string>()
  /** The destinations of a green when it was decided: the fleet may have changed when it is on disk. */
  readonly #greensOf = new Map<string, readonly string[]>()
  #troubled: ReadonlySet<string> = new Set()

  constructor(scene: Scene, findings: Findings, records: ActionRules) {
    this.#scene = scene
    this.#findings = findings
    this.#records = records
  }

  /** By the log alone. */
  openIncidentOf(monitorId: string): string | null {
    return this.#open.get(monitorId) ?? null
  }

  openIncidents(): ReadonlyMap<string, string> {
    return this.#open
  }

  stepEnded(troubled: ReadonlySet<string>): void {
    this.#troubled = troubled
  }

  called(action: Action | undefined): void {
    if (action !== undefined && action.color !== 'green' && action.episodeId !== null)
      this.#toldEpisodes.add(`${action.episodeId} ${action.endpoint}`)
  }

  handedOver(batch: CommitBatch): void {
    for (const { type, monitorId, incidentId } of batch.events) {
      if (type === 'incident_opened') this.#checkOpening(batch, monitorId!, incidentId!)
      if (type === 'incident_closed')
        this.#greensOf.set(incidentId!, this.#scene.monitor(monitorId!)?.destinations.green ?? [])
    }
    for (const { id, kind, state, revision, monitorId } of batch.actions) {
      // A recovery by hand waits until the ancestor is well.
      const isByHand = batch.events.some((one) => one.type.startsWith('control_') && one.actionId === id)
      if (kind === 'intervention' && state === 'queued' && revision === 1 && !isByHand)
        this.#checkAncestors(monitorId!, 'a recovery is queued')
    }
  }

  /** Called after the action rules have taken the batch. */
  written(batch: CommitBatch): void {
    for (const action of batch.actions) {
      if (action.incidentId !== null && action.episodeId !== null)
        this.#episodeOf.set(action.incidentId, action.episodeId)
    }
    for (const event of batch.events) {
      if (event.type === 'incident_opened') this.#opened(event)
      else if (event.type === 'incident_closed') this.#closed(event)
      else if (event.type === 'control_dismissed') this.#dismissed.add(event.incidentId!)
      else if (event.type === 'control_reopened') this.#dismissed.delete(event.incidentId!)
    }
  }

  #opened({ monitorId, incidentId }: StoredEvent): void {
    const open = this.#open.get(monitorId!)
    if (open !== undefined)
      this.#findings.note('4 alternate', `${monitorId} opens ${incidentId} while ${open} is open`)
    this.#open.set(monitorId!, incidentId!)
  }

  #closed({ monitorId, incidentId, outcome }: StoredEvent): void {
    const open = this.#open.get(monitorId!)
    if (open !== incidentId)
      this.#findings.note('4 alternate', `${monitorId} closes ${incidentId} while ${open ?? 'none'} is open`)
    this.#open.delete(monitorId!)
    const episodeId = this.#episodeOf.get(incidentId!)
    const isSilent = this.#dismissed.delete(incidentId!)
    if (outcome !== 'recovered' || episodeId === undefined || isSilent) return
    const speaks = (action: Action) =>
      action.episodeId === episodeId || action.followUp?.episodeId === episodeId
    const wasTold = (endpoint: string) => this.#toldEpisodes.has(`${episodeId} ${endpoint}`)
    const greens = this.#greensOf.get(incidentId!) ?? []
    this.#expectGreens(monitorId!, `the end of ${incidentId}`, speaks, greens.filter(wasTold))
  }

  #checkOpening(batch: CommitBatch, monitorId: string, incidentId: string): void {
    this.#checkAncestors(monitorId, 'an incident opens')
    const speaks = (action: Action) =>
      action.incidentId === incidentId || action.followUp?.incidentId === incidentId
    const isClosedAgain = batch.events.some(
      (event) => event.type === 'incident_closed' && event.incidentId === incidentId,
    )
    if (isClosedAgain) return
    const said = batch.actions.filter((action) => action.color === 'red' && speaks(action))
    for (const endpoint of this.#scene.monitor(monitorId)?.destinations.red ?? []) {
      if (!said.some((action) => action.endpoint === endpoint))
        this.#findings.note('nothing is swallowed', `${endpoint} never hears that ${incidentId} opened`)
    }
  }

  #expectGreens(
    monitorId: string,
    what: string,
    speaks: (action: Action) => boolean,
    endpoints: readonly string[],
  ): void {
    for (const endpoint of endpoints) {
      let isSaid = false
      for (const action of this.#records.ofMonitor(monitorId))
        isSaid ||= action.color === 'green' && action.endpoint === endpoint && speaks(action)
      if (!isSaid) this.#findings.note('nothing is swallowed', `${endpoint} never hears of ${what}`)
    }
  }

  #checkAncestors(monitorId: string, what: string): void {
    for (const ancestor of this.#scene.ancestorsOf(monitorId)) {
      const status = this.#scene.statusOf(ancestor)
      if (this.#troubled.has(ancestor) && status !== null && isInTrouble(status))
        this.#findings.note('dependencies', `${what} for ${monitorId} while ${ancestor} is ${status}`)
    }
  }
}
