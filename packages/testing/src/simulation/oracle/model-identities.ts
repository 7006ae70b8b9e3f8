// simulation/oracle/model-identities.ts: maps ids of the service to numbers of the model. One id belongs to
// one number for ever.
import type { Findings } from './findings.ts'

export class Identities {
  readonly #actionIds = new Map<number, string>()
  readonly #actionKeys = new Map<string, number>()
  readonly #incidentIds = new Map<number, string>()
  readonly #incidents = new Set<string>()
  readonly #episodeIds = new Map<number, string>()
  readonly #episodes = new Set<string>()

  bindAction(key: number, id: string): void {
    this.#actionIds.set(key, id)
    this.#actionKeys.set(id, key)
  }

  bindIncident(number: number, id: string, findings: Findings): void {
    if (this.#incidents.has(id)) findings.note('model', `the incident ${id} opens a second time`)
    this.#incidents.add(id)
    this.#incidentIds.set(number, id)
  }

  actionId(key: number): string | null {
    return this.#actionIds.get(key) ?? null
  }

  actionKey(id: string): number | null {
    return this.#actionKeys.get(id) ?? null
  }

  incidentId(number: number): string | null {
    return this.#incidentIds.get(number) ?? null
  }

  /** An episode gets its id with the first action that names it. */
  isEpisode(number: number | null, id: string | null): boolean {
    if (number === null || id === null) return number === null && id === null
    const known = this.#episodeIds.get(number)
    if (known !== undefined) return known === id
    if (this.#episodes.has(id)) return false
    this.#episodes.add(id)
    this.#episodeIds.set(number, id)
    return true
  }
}
