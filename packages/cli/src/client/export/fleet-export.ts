// client/export/fleet-export.ts: turns v2 resources into the parts of a fleet file, and notes what the file leaves out or
// cannot express. Credentials become references to environment variables: values are never included. Pure.
import type { v2 as wire } from '@pulseward/client'
import {
  configWithReferences,
  counted,
  driverShapes,
  driversOfMonitor,
  endpointMistakes,
  jobTypeOf,
  type MonitorDocument,
  MonitorValidator,
  monitorDocument,
  personDocument,
  policyDocument,
  scheduleDocument,
  statusPageDocument,
} from '@pulseward/server'
import { someNamed } from '../some-named.ts'
import type { CredentialNames, CredentialOrigin } from './credential-names.ts'

type Resource =
  | wire.Monitor
  | wire.NotificationEndpoint
  | wire.NotificationGroup
  | wire.Route
  | wire.Person
  | wire.Schedule
  | wire.Policy
  | wire.StatusPage

type Noun = 'endpoint' | 'group' | 'monitor' | 'route' | 'person' | 'schedule' | 'policy' | 'status page'

/** The name of a route of files that has no id there. */
const placeInFiles = /^routes\.\d+$/

/** A route as a fleet file has it. */
type FileRoute = Pick<wire.Route['spec'], 'match' | 'colors'> & {
  readonly id?: string
  readonly policy?: string
  readonly groups?: readonly string[]
  readonly endpoints?: readonly string[]
}

interface References {
  readonly endpointRefs?: readonly string[]
  readonly groupRefs?: readonly string[]
  readonly policyRef?: string | undefined
}

export class FleetExport {
  readonly #credentials: CredentialNames
  readonly #isAll: boolean
  readonly #validator = new MonitorValidator(driverShapes)
  /** Kind and id of what this file holds, and of what only the service's own fleet files hold. */
  readonly #held = new Set<string>()
  readonly #ofFiles = new Set<string>()
  readonly #referred = new Set<string>()
  readonly #unlabelled: string[] = []
  readonly #problems: string[] = []
  /** Resources that job types carry out, which a fleet file cannot name. */
  readonly #external = new Set<string>()

  constructor(credentials: CredentialNames, isAll: boolean) {
    this.#credentials = credentials
    this.#isAll = isAll
  }

  /** Null if the endpoint is not part of the file. */
  endpoint({ metadata, spec }: wire.NotificationEndpoint): { type: string; config?: object } | null {
    if (!this.#takes('endpoint', metadata)) return null
    if (jobTypeOf(spec, driverShapes.notifiers) !== null) return this.#leaveOut(`endpoint ${metadata.id}`)
    const config = configWithReferences(spec, this.#nameOf(metadata))
    const mistakes = endpointMistakes(driverShapes, { type: spec.type, config }, [])
    for (const { path, message } of mistakes) this.#say(`endpoint ${metadata.id}`, path, message)
    return { type: spec.type, ...(Object.keys(config).length === 0 ? {} : { config }) }
  }

  group({ metadata, spec }: wire.NotificationGroup): readonly string[] | null {
    if (!this.#takes('group', metadata)) return null
    for (const id of spec.endpointRefs) this.#referred.add(`endpoint ${id}`)
    return spec.endpointRefs
  }

  route({ metadata, spec }: wire.Route): FileRoute | null {
    if (!this.#takes('route', metadata)) return null
    this.#refersTo(spec)
    const { match, colors, groupRefs: groups = [], endpointRefs: endpoints = [], policyRef } = spec
    return {
      ...(placeInFiles.test(metadata.id) ? {} : { id: metadata.id }),
      match,
      ...(policyRef === undefined ? {} : { policy: policyRef }),
      ...(colors === undefined ? {} : { colors }),
      ...(groups.length === 0 ? {} : { groups }),
      ...(endpoints.length === 0 ? {} : { endpoints }),
    }
  }

  person({ metadata, spec }: wire.Person): object | null {
    if (!this.#takes('person', metadata)) return null
    this.#refersTo(spec)
    return personDocument(metadata.name ?? null, spec)
  }

  schedule({ metadata, spec }: wire.Schedule): object | null {
    if (!this.#takes('schedule', metadata)) return null
    for (const { personRefs } of spec.layers) for (const id of personRefs) this.#referred.add(`person ${id}`)
    for (const { personRef } of spec.overrides ?? []) this.#referred.add(`person ${personRef}`)
    return scheduleDocument(spec)
  }

  policy({ metadata, spec }: wire.Policy): object | null {
    if (!this.#takes('policy', metadata)) return null
    this.#refersTo(spec.lastResort ?? {})
    for (const { scheduleRef, personRef, groupRef, endpointRef } of spec.steps.flatMap(
      ({ notify }) => notify,
    )) {
      if (scheduleRef !== undefined) this.#referred.add(`schedule ${scheduleRef}`)
      if (personRef !== undefined) this.#referred.add(`person ${personRef}`)
      if (groupRef !== undefined) this.#referred.add(`group ${groupRef}`)
      if (endpointRef !== undefined) this.#referred.add(`endpoint ${endpointRef}`)
    }
    return policyDocument(spec)
  }

  statusPage({ metadata, spec }: wire.StatusPage): object | null {
    if (!this.#takes('status page', metadata)) return null
    for (const { components } of spec.groups)
      for (const { monitorRefs = [] } of components)
        for (const id of monitorRefs) this.#referred.add(`monitor ${id}`)
    return statusPageDocument(spec)
  }

  monitor({ metadata, spec }: wire.Monitor): MonitorDocument | null {
    if (!this.#takes('monitor', metadata)) return null
    if (driversOfMonitor(spec, driverShapes).some((driver) => jobTypeOf(...driver) !== null))
      return this.#leaveOut(`monitor ${metadata.id}`)
    const document = monitorDocument({ metadata, spec }, driverShapes, this.#nameOf(metadata))
    for (const { path, message } of this.#validator.mistakes(document) ?? [])
      this.#say(`monitor ${metadata.id}`, path, message)
    for (const id of spec.dependsOn ?? []) this.#referred.add(`monitor ${id}`)
    for (const rule of Object.values(spec.notifications ?? {})) this.#refersTo(rule)
    this.#refersTo({ policyRef: spec.policyRef })
    return document
  }

  /** Why the file does not load as it is, in sentences. */
  get problems(): readonly string[] {
    const missing = [...this.#referred].filter((one) => !this.#held.has(one) && !this.#ofFiles.has(one))
    const lost = missing.filter((one) => !this.#external.has(one))
    const leftOut = missing.filter((one) => this.#external.has(one))
    return [
      ...this.#problems,
      ...(lost.length === 0 ? [] : [`It refers to what the service no longer has: ${someNamed(lost)}.`]),
      ...(leftOut.length === 0 ? [] : [`It refers to what job types carry out: ${someNamed(leftOut)}.`]),
    ]
  }

  /** What else the user should know, in sentences. */
  get notes(): readonly string[] {
    const elsewhere = [...this.#referred].filter((one) => this.#ofFiles.has(one))
    const { renamed, unused } = this.#credentials
    return [
      ...(elsewhere.length === 0
        ? []
        : [
            `It refers to ${counted(elsewhere.length, 'thing')} of fleet files (${someNamed(elsewhere)}): load it together with those files, or export with --all.`,
          ]),
      ...(unused.length === 0
        ? []
        : [`Credentials that nothing refers to are left out: ${someNamed(unused)}.`]),
      ...renamed.map(
        ([id, name]) =>
          `The credential ${id} of fleet files is called ${name} here: v2 has another one of that name.`,
      ),
      ...(this.#external.size === 0
        ? []
        : [`A fleet file cannot name job types, so these are left out: ${someNamed([...this.#external])}.`]),
      ...(this.#unlabelled.length === 0
        ? []
        : [`A fleet file has no place for the name and labels of ${someNamed(this.#unlabelled)}.`]),
    ]
  }

  #refersTo({ endpointRefs = [], groupRefs = [], policyRef }: References): void {
    for (const id of endpointRefs) this.#referred.add(`endpoint ${id}`)
    for (const id of groupRefs) this.#referred.add(`group ${id}`)
    if (policyRef !== undefined) this.#referred.add(`policy ${policyRef}`)
  }

  #takes(kind: Noun, metadata: Resource['metadata']): boolean {
    const { id, name, labels = {}, managedBy } = metadata
    const isTaken = this.#isAll || managedBy !== 'file'
    const set = isTaken ? this.#held : this.#ofFiles
    set.add(`${kind} ${id}`)
    const hasName = name !== undefined && kind !== 'person'
    if (isTaken && kind !== 'monitor' && (hasName || Object.keys(labels).length > 0))
      this.#unlabelled.push(`${kind} ${id}`)
    return isTaken
  }

  #leaveOut(one: string): null {
    this.#held.delete(one)
    this.#external.add(one)
    return null
  }

  #nameOf({ managedBy }: Resource['metadata']): (id: string) => string {
    const origin: CredentialOrigin = managedBy === 'file' ? 'file' : 'api'
    return (id) => this.#credentials.nameOf(origin, id)
  }

  #say(what: string, path: readonly (string | number)[], message: string): void {
    this.#problems.push(`${what}: ${path.join('.')}: ${message}`)
  }
}
