// acting/action-sources.ts: which source carries out the actions of each type, and what the engine asks of all sources.
import type { Credentials } from '../config/fleet-file/credentials.ts'
import type { FleetDefinition, RecoveryDefinition } from '../config/fleet-file/definition.ts'
import type { Destination } from '../deciding/actions/destination.ts'
import type { ActionSource } from './action-source.ts'

export class ActionSources {
  readonly #sources: readonly ActionSource[]
  readonly #byType: ReadonlyMap<string, ActionSource>

  constructor(sources: readonly ActionSource[]) {
    this.#sources = sources
    this.#byType = new Map(
      sources.flatMap((source) => source.types.map((type): [string, ActionSource] => [type, source])),
    )
  }

  /** Every type in the fleet has a source: validation accepts no other. */
  of({ type }: { readonly type: string }): ActionSource {
    const source = this.#byType.get(type)
    if (source === undefined) throw new Error(`no source carries out ${type} actions`)
    return source
  }

  setFleet(fleet: FleetDefinition, credentials: Credentials): void {
    for (const source of this.#sources) source.setFleet(fleet, credentials)
  }

  /** Equal for recoveries that act on the same target. */
  targetOf(recovery: RecoveryDefinition): string {
    return this.of(recovery).targetOf(recovery)
  }

  /** The endpoints of a fleet as destinations of the ledger. */
  destinations({ endpoints }: FleetDefinition, credentials: Credentials): Destination[] {
    return Array.from(endpoints, ([name, endpoint]) => ({
      name,
      ...this.of(endpoint).describe(endpoint, credentials),
    }))
  }
}
