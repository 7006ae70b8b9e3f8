// import/fleet-draft.ts: the common form of every source before anything is written: monitors, destinations,
// groups, people and status pages in the terms of a fleet file, secrets as references, and notes about what was left out.
import {
  canonicalJson,
  driverShapes,
  endpointMistakes,
  type MonitorDocument,
  valueMistakes,
} from '@pulseward/server'
import type { Fields } from './fields.ts'
import { slug, UniqueNames } from './ids.ts'
import { Notes } from './notes.ts'
import { type PageDraft, pageId } from './page-draft.ts'
import { Secrets } from './secrets.ts'

export interface DraftEndpoint {
  readonly type: string
  readonly config: object
}

/** Thrown while reading a monitor or destination that cannot be carried over at all. */
export class NotCarried extends Error {
  readonly field: string
  constructor(field: string, reason: string) {
    super(reason)
    this.field = field
  }
}

export class FleetDraft {
  readonly notes = new Notes()
  readonly secrets: Secrets
  readonly monitors: MonitorDocument[] = []
  readonly endpoints = new Map<string, DraftEndpoint>()
  readonly groups = new Map<string, string[]>()
  readonly people = new Map<string, object>()
  readonly schedules = new Map<string, object>()
  readonly policies = new Map<string, object>()
  readonly statusPages = new Map<string, PageDraft>()
  readonly #endpointIds = new UniqueNames()
  readonly #byContent = new Map<string, string>()
  readonly #groupIds = new UniqueNames()
  readonly #monitorIds = new UniqueNames()
  readonly #personIds = new UniqueNames()
  readonly #scheduleIds = new UniqueNames()
  readonly #policyIds = new UniqueNames()
  readonly #pageIds = new UniqueNames()

  constructor(secrets: Secrets = new Secrets()) {
    this.secrets = secrets
  }

  /** Makes an id for a monitor of this name; the monitor's secrets are named after it. */
  monitorId(name: string): string {
    return this.#monitorIds.make(slug(name, 'monitor'))
  }

  /** False if another monitor has it. */
  claimId(id: string): boolean {
    return this.#monitorIds.claim(id)
  }

  /** The id of the destination; null if it is invalid, which is noted. Identical destinations are merged. */
  endpoint(name: string, endpoint: DraftEndpoint, fields: Fields): string | null {
    const content = canonicalJson(endpoint as never)
    const known = this.#byContent.get(content)
    if (known !== undefined) return known
    const { type } = endpoint
    const shape = driverShapes.notifiers[type]!
    const mistake =
      endpointMistakes({ ...driverShapes, notifiers: { [type]: shape } }, endpoint, [])[0] ??
      valueMistakes(shape, endpoint.config, (credential) => this.secrets.valueOf(credential))[0]
    if (mistake !== undefined) {
      const { path, unshown, message } = mistake
      fields.note('', `is not carried over: ${path.join('.')} ${(unshown ?? message).replace(/\.$/, '')}`)
      return null
    }
    const id = this.#endpointIds.make(slug(name, type))
    this.endpoints.set(id, endpoint)
    this.#byContent.set(content, id)
    return id
  }

  group(name: string, members: readonly string[]): string {
    const id = this.#groupIds.make(slug(name, 'group'))
    this.groups.set(id, [...new Set(members)])
    return id
  }

  person(name: string, person: object): string {
    const id = this.#personIds.make(slug(name, 'person'))
    this.people.set(id, person)
    return id
  }

  /** Makes an id for a schedule of this name. */
  scheduleId(name: string): string {
    return this.#scheduleIds.make(slug(name, 'schedule'))
  }

  policy(name: string, policy: object): void {
    this.policies.set(this.#policyIds.make(slug(name, 'policy')), policy)
  }

  statusPage(name: string, page: PageDraft): void {
    this.statusPages.set(this.#pageIds.make(pageId(name, 'status')), page)
  }

  /** Runs the function that reads one subject; a subject that cannot be carried over is noted by its name. */
  carry(fields: Fields, read: () => void): void {
    try {
      read()
    } catch (error) {
      if (!(error instanceof NotCarried)) throw error
      fields.note(
        error.field,
        `${error.field === '' ? 'is not carried over' : 'keeps it from being carried over'}: ${error.message}`,
      )
      return
    }
    fields.close()
  }
}
