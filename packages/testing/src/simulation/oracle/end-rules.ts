// simulation/oracle/end-rules.ts: how it must end when everything has been well for a while: every monitor is
// up, no incident is open, and nothing is queued that could be sent.
import type { ActionRules } from './action-rules.ts'
import type { Findings } from './findings.ts'
import type { IncidentRules } from './incident-rules.ts'
import type { Scene } from './scene.ts'

export class EndRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #actions: ActionRules
  readonly #incidents: IncidentRules

  constructor(scene: Scene, findings: Findings, actions: ActionRules, incidents: IncidentRules) {
    this.#scene = scene
    this.#findings = findings
    this.#actions = actions
    this.#incidents = incidents
  }

  judge(): void {
    const { process, plan } = this.#scene
    if (process === null) return this.#note('the service does not run')
    for (const id of plan.monitors.keys()) {
      const status = this.#scene.statusOf(id)
      if (status !== 'up') this.#note(`${id} is ${status} although its target is well`)
    }
    for (const [id, incident] of this.#incidents.openIncidents())
      this.#note(`the incident ${incident} of ${id} is still open`)
    const { ledger, time } = process.parts
    for (const { id, state } of this.#actions.open()) {
      const wait = ledger.view.waitOf(id, time.now())
      if (wait !== 'cooldown' && wait !== 'retry' && wait !== 'pacing' && wait !== 'ailing_destination')
        this.#note(`the action ${id} is ${state}, and waits for ${wait ?? 'an answer'}`)
    }
  }

  #note(words: string): void {
    this.#findings.note('all is well in the end', words)
  }
}
