// projection/page-facts.ts: what a page of a policy says to the person who opens its link: what is down, and whether a person
// takes care of it.
import type { EngineReading } from '../engine/engine-reading.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { counted } from '../platform/wording.ts'

const namedAtMost = 20

export interface PageFacts {
  readonly incidentId: string
  /** Such as "Checkout is down". */
  readonly headline: string
  /** What was seen, and since when. */
  readonly cause: string
  /** The monitors, if there are several. */
  readonly monitors: readonly string[]
  /** Null unless all of its incidents are acknowledged. */
  readonly acknowledged: { readonly by: string; readonly restartsAt: string | null } | null
}

export class PageReader {
  readonly #fleet: Fleet
  readonly #engine: EngineReading

  constructor(fleet: Fleet, engine: EngineReading) {
    this.#fleet = fleet
    this.#engine = engine
  }

  /** Null if the page has ended. */
  factsOf(id: string): PageFacts | null {
    const { pages } = this.#engine
    const page = pages.find(id)
    if (page === null) return null
    const { lead, policy, run } = page
    const members = pages.membersOf(id)
    const name = this.#monitorName(lead.monitorId)
    const isOne = members.length === 1
    const rest = members.length - namedAtMost
    const more = rest > 0 ? [`and ${counted(rest, 'more monitor')}`] : []
    return {
      incidentId: lead.incidentId,
      headline: isOne ? `${name} is down` : `${counted(members.length, 'monitor')} of ${policy} are down`,
      cause: `${name}: ${this.#seen(lead.monitorId)}${lead.since === null ? '' : `, since ${timeText(lead.since)}`}.`,
      monitors: isOne ? [] : [...members.slice(0, namedAtMost).map((one) => this.#monitorName(one)), ...more],
      acknowledged:
        run.is === 'acknowledged'
          ? {
              by: this.personName(run.by) ?? run.by,
              restartsAt: run.restartAt === null ? null : timeText(run.restartAt),
            }
          : null,
    }
  }

  /** Null if there is no such person. */
  personName(id: string): string | null {
    const person = this.#fleet.definition.people.get(id)
    return person === undefined ? null : (person.name ?? id)
  }

  #seen(monitorId: string): string {
    const row = this.#fleet.rowOf(monitorId)
    return (row === -1 ? null : this.#engine.noteOf(row)?.lastError) ?? 'it fails'
  }

  #monitorName(id: string): string {
    const row = this.#fleet.rowOf(id)
    return row === -1 ? id : this.#fleet.nameOf(row)
  }
}

function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
