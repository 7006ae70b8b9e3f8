// projection/v2/resource-views.ts: a managed resource as v2 shows it: what people wrote, verbatim, and what
// is known of it now. Secrets in options, there by mistake or by convention, are redacted for the role
// reader; credential values never leave the service.
import { statuses, v2 } from '@pulseward/contract'
import type { Role } from '../../access/roles.ts'
import { revisionText } from '../../controls/revision-text.ts'
import type { Audience } from '../../deciding/actions/audience.ts'
import { controlRevisionOf } from '../../deciding/health/health.ts'
import type { EngineReading } from '../../engine/engine-reading.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { ManagedResource } from '../../kinds/managed-resource.ts'
import type { DriverSchemas } from '../../kinds/redact-config.ts'
import { redactSpec } from '../../kinds/redact-spec.ts'
import type { AnyResource } from '../../managing/resource-lists.ts'
import type { Json } from '../../platform/json/json.ts'
import { placesViewV2 } from '../places-view.ts'
import { pushStatus } from '../push-view.ts'
import type { OnCallViews } from './on-call-views.ts'

type Status = (typeof statuses)[number]
type HealthState = NonNullable<NonNullable<v2.Monitor['status']>['health']>

const healthByStatus: Readonly<Record<Status, HealthState>> = {
  up: 'healthy',
  degraded: 'warning',
  down: 'unhealthy',
  incident: 'unhealthy',
  verifying: 'unhealthy',
  unknown: 'unknown',
  disabled: 'unknown',
}

export interface ResourceViewsOptions {
  readonly fleet: Fleet
  readonly engine: EngineReading
  readonly schemas: DriverSchemas
  /** The prefix of a change number in a version. */
  readonly epoch: number
  /** Whether the value of a credential can be decrypted. */
  readonly isAvailable: (credential: ManagedResource) => boolean
  /** What refers to a credential, as kind and id. */
  readonly referencesTo: (credentialId: string) => string[]
  readonly onCall: OnCallViews
}

export class ResourceViews {
  readonly #options: ResourceViewsOptions

  constructor(options: ResourceViewsOptions) {
    this.#options = options
  }

  versionOf({ change }: Pick<ManagedResource, 'change'>): string {
    return `${this.#options.epoch}.${change}`
  }

  /** The change number in a version; null for a version of another store, or a malformed one. */
  changeOf(version: string): number | null {
    const [, epoch, change] = /^([0-9]{1,15})\.([0-9]{1,15})$/.exec(version) ?? []
    return epoch === String(this.#options.epoch) && change !== undefined ? Number(change) : null
  }

  /** The version of any resource; that of a resource from a file is derived from its content. */
  tagOf(resource: AnyResource): string {
    return 'change' in resource ? this.versionOf(resource) : `${this.#options.epoch}.${resource.digest}`
  }

  view(resource: AnyResource, role: Role): v2.Resource {
    const { kind, id, uid, name, labels, spec } = resource
    const isFromFile = !('change' in resource)
    const shown = role === 'operator' ? spec : redactSpec(kind, spec as Json, this.#options.schemas)
    const view = {
      apiVersion: v2.apiVersion,
      kind,
      metadata: {
        id,
        uid,
        ...(name === null ? {} : { name }),
        resourceVersion: this.tagOf(resource),
        generation: this.#generationOf(resource),
        ...(Object.keys(labels).length === 0 ? {} : { labels }),
        managedBy: isFromFile ? 'file' : 'api',
      },
      spec: shown,
      status: this.#statusOf(resource),
    }
    return view as v2.Resource
  }

  /** For a monitor from a file: its revision, which rises when its behaviour changes, not its description. */
  #generationOf(resource: AnyResource): number {
    if ('change' in resource) return resource.generation
    const { fleet, engine } = this.#options
    return resource.kind === 'Monitor' ? (engine.revisionOf(resource.id, fleet.rowOf(resource.id)) ?? 1) : 1
  }

  #statusOf(resource: AnyResource): object {
    const observed = { observedGeneration: this.#generationOf(resource) }
    const { kind, id } = resource
    const { onCall } = this.#options
    if (kind === 'Monitor') return this.#monitorStatus(resource)
    if (kind === 'Person') return { ...observed, onCall: onCall.dutiesOf(id) }
    if (kind === 'Policy') return { ...observed, ...onCall.pagesOf(id) }
    if (kind === 'Schedule') return { ...observed, onCall: onCall.onCallBy(id) ?? {} }
    if (resource.kind !== 'Credential' || !('change' in resource)) return observed
    const { isAvailable, referencesTo } = this.#options
    return {
      ...observed,
      available: isAvailable(resource),
      references: referencesTo(resource.id),
      version: String(resource.sealed?.change ?? 0),
    }
  }

  #monitorStatus(resource: AnyResource): NonNullable<v2.Monitor['status']> {
    const { id } = resource
    const { fleet, engine } = this.#options
    const row = fleet.rowOf(id)
    if (row === -1) return { health: 'unknown' }
    const { columns } = fleet
    const health = engine.healthOf(row)
    const lastCheck = columns.lastCheck[row]!
    const latency = columns.latencyMs[row]!
    const incidentId = health.episode?.incident?.id
    const report = engine.reportOf(row)
    return {
      observedGeneration: this.#generationOf(resource),
      controlRevision: revisionText('Monitor', id, controlRevisionOf(health)),
      executionRevision: String(columns.checkRevision[row]),
      health: healthByStatus[statuses[columns.status[row]!]!],
      ...(Number.isNaN(lastCheck) ? {} : { lastCheckedAt: new Date(lastCheck).toISOString() }),
      lastCheckLatencyMs: Number.isNaN(latency)
        ? { available: false, reason: 'no check has ended yet' }
        : { available: true, value: latency },
      ...(health.snooze === null ? {} : { snoozedUntil: new Date(health.snooze.untilWallMs).toISOString() }),
      ...(incidentId === undefined ? {} : { incidentID: incidentId }),
      unknownActions: engine.actions.unknownActionsOf(id).all,
      audience: audienceView(engine.audienceOf(row), engine.escalationPolicyOf(row)),
      ...(report === null ? {} : { push: pushStatus(report) }),
      ...placesViewV2(engine.placesOf(row)),
    }
  }
}

/** Without colors that nobody is told of. */
function audienceView(audience: Audience, policy: string | null): v2.Audience {
  const colors = Object.entries(audience).filter(([, told]) => told.length > 0)
  const members = colors.map(([color, told]) => [
    color,
    told.map(({ destination, namedBy }) => ({
      destination,
      namedBy: namedBy.map(({ kind, name, group }) => ({
        kind,
        ...(name === null ? {} : { name }),
        ...(group === null ? {} : { group }),
      })),
    })),
  ])
  return { ...Object.fromEntries(members), ...(policy === null ? {} : { policy }) }
}
