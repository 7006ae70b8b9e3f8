// simulation/writes/resource-writer.ts: people who create, replace, patch and delete resources, at random
// from the seed, several at a time and often the same one. Some have seen an old version, some refer to what
// does not exist, some would close a cycle. When the calm phase begins they clean up everything.
import type { Written } from '@pulseward/server/internal/managing/resource-desk.ts'
import type { Json } from '@pulseward/server/internal/platform/json/json.ts'
import type { Random } from '../../random.ts'
import { monitorChanges } from '../fleet-changes.ts'
import { type FleetPlan, type PlannedMonitor, someMonitor } from '../fleet-plan.ts'
import type { Oracle } from '../oracle/oracle.ts'
import type { KnownVersion, WriteRequest } from './requests.ts'
import {
  type Kind,
  keyOf,
  kinds,
  patchBetween,
  sentOf,
  type Wanted,
  type WantedMonitor,
  type WantedRoute,
} from './wanted.ts'
import type { WriteDesk } from './write-desk.ts'

const idsOf: Readonly<Record<Kind, readonly string[]>> = {
  Monitor: ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6'],
  NotificationEndpoint: ['e0', 'e1', 'e2'],
  NotificationGroup: ['g0', 'g1'],
  Route: ['r0', 'r1', 'r2'],
  Credential: ['c0', 'c1', 'c2'],
}
const nowhere = 'nowhere'
const principals = ['ann', 'ben', 'cem']

export interface ResourceWriterOptions {
  readonly random: Random
  readonly oracle: Oracle
  /** The desk of the process that takes writes; null if there is none. */
  readonly desk: () => WriteDesk | null
  readonly wallMs: () => number
  /** The running fleet. */
  readonly plan: () => FleetPlan
  readonly nextOperation: () => number
  /** Whether they write routes, too. */
  readonly hasRoutes: boolean
}

export class ResourceWriter {
  readonly #options: ResourceWriterOptions
  /** Versions that a person has seen some time ago. */
  readonly #seen = new Map<string, KnownVersion>()
  readonly #settled = new Set<string>()
  #versions = 0
  /** The resources that were written last. */
  #last: readonly { readonly kind: Kind; readonly id: string }[] = []

  constructor(options: ResourceWriterOptions) {
    this.#options = options
  }

  /** A few requests at once. */
  act(): void {
    const { random } = this.#options
    const isRace = random.chance(0.35)
    const target = this.#target()
    this.#last = Array.from({ length: random.whole(1, 3) }, () => (isRace ? target : this.#target()))
    for (const { kind, id } of this.#last) this.#send(this.#request(kind, id))
  }

  /** A random wanted state of some resource of this kind. */
  someWanted(kind: Kind): Wanted {
    const id = this.#options.random.pick(idsOf[kind])
    const present = this.#present().get(keyOf({ kind, id }))
    return present === undefined ? this.#some(kind, id) : this.#changed(present.wanted)
  }

  /** Sends more requests while the last ones may still be on their way to the disk. */
  followUp(): void {
    const { random } = this.#options
    for (const { kind, id } of this.#last) {
      this.#read(kind, id)
      if (random.chance(0.3)) this.#send(this.#request(kind, id))
    }
  }

  /** Cleans up one more resource, if one is left. */
  settle(): void {
    const rank = (kind: Kind) => kinds.indexOf(kind)
    const next = [...this.#present()]
      .filter(([key]) => !this.#settled.has(key))
      .sort(([, one], [, other]) => rank(other.wanted.kind) - rank(one.wanted.kind))[0]
    if (next === undefined) return
    const [key, { wanted, change }] = next
    const { kind, id } = wanted
    const request = { ...this.#author(), verb: 'replace', kind, id, version: change } as const
    this.#send({ ...request, wanted: this.#inOrder(wanted) }, () => this.#settled.add(key))
  }

  #present() {
    return this.#options.oracle.resources.durable
  }

  #target(): { readonly kind: Kind; readonly id: string } {
    const { random, plan, hasRoutes } = this.#options
    const kind = random.weighted<Kind>({
      Monitor: 6,
      NotificationEndpoint: 2,
      NotificationGroup: 1,
      Credential: 2,
      Route: hasRoutes ? 2 : 0,
    })
    // Ids that files have, had, or are about to have.
    if (kind === 'Monitor' && random.chance(0.06))
      return { kind, id: random.chance(0.5) ? `m${random.whole(0, 25)}` : this.#nextOfFiles() }
    if (kind === 'NotificationEndpoint' && random.chance(0.04))
      return { kind, id: random.pick([...plan().endpoints.keys()]) }
    return { kind, id: random.pick(idsOf[kind]) }
  }

  /** The first id that the files do not have. */
  #nextOfFiles(): string {
    const { monitors } = this.#options.plan()
    let number = 0
    while (monitors.has(`m${number}`)) number++
    return `m${number}`
  }

  #request(kind: Kind, id: string): WriteRequest {
    const { random } = this.#options
    const key = keyOf({ kind, id })
    const now = this.#present().get(key)
    const known = random.chance(0.12) ? (this.#seen.get(key) ?? now) : now
    if (now !== undefined && random.chance(0.5)) this.#seen.set(key, now)
    const request = { ...this.#author(), kind, id }
    const verb =
      known === undefined
        ? random.weighted({ create: 9, replace: 0.5, delete: 0.5, patch: 0 })
        : random.weighted({ create: 0.7, replace: 3, patch: 4.5, delete: 1.6 })
    if (verb === 'create') return { ...request, verb, version: null, wanted: this.#some(kind, id) }
    const version = known?.change ?? 1
    if (verb === 'delete') return { ...request, verb, version, wanted: null }
    const wanted =
      known === undefined
        ? this.#some(kind, id)
        : random.chance(0.05)
          ? known.wanted
          : this.#changed(known.wanted)
    return { ...request, verb, version, wanted }
  }

  #author() {
    const { random, nextOperation } = this.#options
    return { operation: nextOperation(), principal: random.pick(principals) }
  }

  #send(request: WriteRequest, made: () => void = () => {}): void {
    const { desk, oracle } = this.#options
    const process = desk()
    const { kind } = request
    if (process === null) return
    oracle.requested(request)
    this.#write(process, request).then(
      (written) => {
        if (!process.isAlive) return
        oracle.writeAnswered(request, written)
        made()
      },
      (error: unknown) => {
        const isWithoutKey = kind === 'Credential' && !process.hasKeys
        if (process.isAlive)
          oracle.writeRefused(request, error, process.isPaused || process.isStopping || isWithoutKey)
      },
    )
  }

  #write({ desk }: WriteDesk, request: WriteRequest): Promise<Written> {
    const { verb, kind, id, version, wanted, operation, principal } = request
    const by = { operation, principal }
    if (wanted === null) return desk.remove(kind, id, version, by)
    const sent = sentOf(wanted)
    if (verb === 'create') return desk.create(kind, sent, by)
    if (verb === 'replace') return desk.replace(kind, sent, version, by)
    const before = this.#seenAt(kind, id, version)
    const asShown = (one: Wanted): Json => ({ kind, ...(sentOf(one) as unknown as { [key: string]: Json }) })
    const patch =
      before === null ? asShown(wanted) : patchBetween(withoutValue(asShown(before)), asShown(wanted))
    return desk.patch(kind, id, patch, version, by, (patched) => patched as never)
  }

  /** What a client has seen under this version. */
  #seenAt(kind: Kind, id: string, version: number | null): Wanted | null {
    const key = keyOf({ kind, id })
    return (
      this.#options.oracle.resources.log.find((one) => one.key === key && one.change === version)?.version
        ?.wanted ?? null
    )
  }

  #read(kind: Kind, id: string): void {
    const { desk, oracle } = this.#options
    const process = desk()
    void process?.lists.find(kind, id).then((found) => {
      if (process.isAlive) oracle.resourceRead(kind, id, found)
    })
  }

  #some(kind: Kind, id: string): Wanted {
    const { random, plan } = this.#options
    const team = random.pick(['blue', 'red', null] as const)
    switch (kind) {
      case 'Monitor': {
        const planned = someMonitor(id, { ...plan(), monitors: new Map() }, random)
        const checkVersion = ++this.#versions
        return {
          kind,
          id,
          team,
          planned: { ...planned, checkVersion, parents: this.#someParents() },
          groups: this.#someGroups(),
        }
      }
      case 'NotificationEndpoint':
        return { kind, id, team, version: ++this.#versions, credential: this.#someCredential() }
      case 'NotificationGroup':
        return { kind, id, team, endpoints: this.#someEndpoints() }
      case 'Route':
        return { kind, id, team, ...this.#someRoute() }
      case 'Credential':
        return { kind, id, team, version: ++this.#versions, description: `made ${this.#versions}` }
    }
  }

  #changed(wanted: Wanted): Wanted {
    const { random } = this.#options
    if (random.chance(0.1)) return { ...wanted, team: wanted.team === 'blue' ? 'red' : 'blue' }
    switch (wanted.kind) {
      case 'Monitor':
        return this.#changedMonitor(wanted)
      case 'NotificationEndpoint':
        return { ...wanted, version: ++this.#versions, credential: this.#someCredential() }
      case 'NotificationGroup':
        return { ...wanted, endpoints: this.#someEndpoints() }
      case 'Route':
        return { ...wanted, ...this.#someRoute() }
      case 'Credential':
        return random.chance(0.3)
          ? { ...wanted, description: `changed ${++this.#versions}` }
          : { ...wanted, version: ++this.#versions }
    }
  }

  #changedMonitor(wanted: WantedMonitor): WantedMonitor {
    const { random, plan, wallMs } = this.#options
    const { planned } = wanted
    const word = random.pick(['groups', 'parents', ...Object.keys(monitorChanges)])
    if (word === 'groups') return { ...wanted, groups: this.#someGroups() }
    if (word === 'parents') return { ...wanted, planned: { ...planned, parents: this.#someParents() } }
    const changes: Partial<PlannedMonitor> = monitorChanges[word]?.(planned, plan(), random, wallMs()) ?? {}
    const check = word === 'check' ? { checkVersion: ++this.#versions } : {}
    return { ...wanted, planned: { ...planned, ...changes, ...check } }
  }

  /** Parents from the running fleet, and sometimes ones that do not exist. */
  #someParents(): readonly string[] {
    const { random, plan } = this.#options
    if (random.chance(0.55)) return []
    if (random.chance(0.1)) return [nowhere]
    // Only resources can form cycles.
    const own = [...plan().monitors.keys()].filter((id) => id.startsWith('a'))
    const from = own.length > 0 && random.chance(0.6) ? own : [...plan().monitors.keys()]
    return [...new Set([random.pick(from), random.pick(from)])]
  }

  #someGroups(): readonly string[] {
    const { random } = this.#options
    const groups = idsOf.NotificationGroup.filter((id) =>
      this.#present().has(keyOf({ kind: 'NotificationGroup', id })),
    )
    return groups.filter(() => random.chance(0.4))
  }

  /** Never many destinations: each is a notification more, of many monitors. */
  #someRoute(): Pick<WantedRoute, 'match' | 'colors' | 'endpoints' | 'groups'> {
    const { random } = this.#options
    const match = random.pick(['blue', 'red', null] as const)
    const colors = random.pick([['red', 'green'], ['red'], ['green', 'gray', 'yellow']] as const)
    const groups = this.#someGroups()
    return { match, colors, groups, endpoints: groups.length > 0 ? [] : this.#someEndpoints() }
  }

  #someEndpoints(): readonly string[] {
    const { random, plan } = this.#options
    if (random.chance(0.04)) return [nowhere]
    const from = [...plan().endpoints.keys()]
    return [...new Set([random.pick(from), random.pick(from)])]
  }

  #someCredential(): string | null {
    const { random } = this.#options
    if (random.chance(0.4)) return null
    if (random.chance(0.04)) return nowhere
    const from = idsOf.Credential.filter((id) => this.#present().has(keyOf({ kind: 'Credential', id })))
    return from.length === 0 ? null : random.pick(from)
  }

  /** Enabled, without windows, with working destinations, and with references that exist. */
  #inOrder(wanted: Wanted): Wanted {
    const { plan } = this.#options
    switch (wanted.kind) {
      case 'Monitor': {
        const { destinations, parents } = wanted.planned
        const present = Object.entries(destinations).map(([color, endpoints]) => [
          color,
          endpoints.filter((endpoint) => plan().endpoints.has(endpoint)),
        ])
        const planned: PlannedMonitor = {
          ...wanted.planned,
          enabled: true,
          window: null,
          destinations: Object.fromEntries(present),
          parents: parents.filter((id) => plan().monitors.has(id)),
        }
        return { ...wanted, planned }
      }
      case 'NotificationEndpoint':
        return { ...wanted, version: ++this.#versions }
      case 'Route':
        return {
          ...wanted,
          groups: [],
          endpoints: [...plan().endpoints.keys()].slice(0, 1),
        }
      case 'NotificationGroup': {
        const present = wanted.endpoints.filter((endpoint) => plan().endpoints.has(endpoint))
        return {
          ...wanted,
          endpoints: present.length > 0 ? present : [...plan().endpoints.keys()].slice(0, 1),
        }
      }
      case 'Credential':
        return { ...wanted, version: ++this.#versions }
    }
  }
}

/** Values of credentials cannot be read. */
function withoutValue(shown: Json): Json {
  const { spec, ...rest } = shown as { readonly [key: string]: Json }
  const { value: _, ...open } = spec as { readonly [key: string]: Json }
  return { ...rest, spec: open }
}
