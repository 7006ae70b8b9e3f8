// kinds/monitor-document.ts: converts a v2 monitor to the entry that a fleet file would have for it, so that one
// validation and one engine serve both; and the path of a mistake in the entry back to a JSON pointer into the resource.
// A driver that the service does not have is a job type, which no file can name. Validates nothing.
import type { v2 } from '@pulseward/contract'
import { derivedIdentityPrefix } from '../config/fleet-file/identity.ts'
import type { DriverShapes, MonitorDocument, NotifyDocument } from '../config/fleet-file/schema.ts'
import type { Path } from '../config/shape/shape.ts'
import { runningDriver } from './driver-config.ts'

type Destinations = NonNullable<NotifyDocument['red']>
type Spec = v2.Monitor['spec']
type Metadata = Pick<v2.Monitor['metadata'], 'id' | 'name' | 'labels'>

/** nameOf: the name of a credential in the entry; by default its name in the running fleet. */
export function monitorDocument(
  { metadata, spec }: { metadata: Metadata; spec: Spec },
  drivers: DriverShapes,
  nameOf?: (credentialId: string) => string,
): MonitorDocument {
  const { id, name = id, labels } = metadata
  const { enabled, maintenance, tags, dependsOn, policyRef, severity } = spec
  const { driver, interval, timeout, unhealthyThreshold, healthyThreshold, retries } = spec.check
  const { locations, failsWhen } = spec.check
  const notify = notifyDocument(spec)
  return defined<MonitorDocument>({
    // Such an id is derived from the name, and is not written in a file.
    id: id.startsWith(derivedIdentityPrefix) ? undefined : id,
    name,
    enabled,
    tags,
    labels,
    depends_on: dependsOn,
    check: defined<MonitorDocument['check']>({
      ...runningDriver(driver, drivers.checks, nameOf),
      interval,
      timeout,
      unhealthy_threshold: unhealthyThreshold,
      healthy_threshold: healthyThreshold,
      retries,
      locations,
      fails_when: failsWhen,
    }),
    recovery: recoveryDocument(spec, drivers, nameOf),
    notify,
    policy: policyRef,
    severity,
    maintenance,
  })
}

function recoveryDocument(
  { recovery }: Spec,
  { recoveries }: DriverShapes,
  nameOf: ((credentialId: string) => string) | undefined,
): MonitorDocument['recovery'] {
  if (recovery === undefined) return undefined
  const { driver, timeout, settle } = recovery
  return defined<NonNullable<MonitorDocument['recovery']>>({
    ...runningDriver(driver, recoveries, nameOf),
    timeout,
    settle,
  })
}

function notifyDocument({ notifications, repeat }: Spec): NotifyDocument | undefined {
  if (notifications === undefined && repeat === undefined) return undefined
  const rules = Object.entries(notifications ?? {}).flatMap(([color, rule]) => {
    if (rule === undefined || rule.dispatch === false) return []
    return [[color, defined<Destinations>({ endpoints: rule.endpointRefs, groups: rule.groupRefs })] as const]
  })
  return defined<NotifyDocument>({ ...Object.fromEntries(rules), repeat })
}

/** Omits undefined members: a schema treats those as present. */
function defined<Value extends object>(value: { [Key in keyof Value]: Value[Key] | undefined }): Value {
  const kept: Partial<Value> = {}
  for (const key in value) {
    const member = value[key]
    if (member !== undefined) kept[key] = member
  }
  return kept as Value
}

/** Where the parts of an entry are in the resource, longer paths first. */
const places: readonly (readonly [from: readonly string[], to: readonly string[]])[] = [
  [
    ['check', 'type'],
    ['spec', 'check', 'driver', 'type'],
  ],
  [
    ['check', 'config'],
    ['spec', 'check', 'driver', 'config'],
  ],
  [
    ['check', 'unhealthy_threshold'],
    ['spec', 'check', 'unhealthyThreshold'],
  ],
  [
    ['check', 'healthy_threshold'],
    ['spec', 'check', 'healthyThreshold'],
  ],
  [
    ['check', 'fails_when'],
    ['spec', 'check', 'failsWhen'],
  ],
  [['check'], ['spec', 'check']],
  [
    ['recovery', 'type'],
    ['spec', 'recovery', 'driver', 'type'],
  ],
  [
    ['recovery', 'config'],
    ['spec', 'recovery', 'driver', 'config'],
  ],
  [['recovery'], ['spec', 'recovery']],
  [
    ['notify', 'repeat'],
    ['spec', 'repeat'],
  ],
  [['notify'], ['spec', 'notifications']],
  [['policy'], ['spec', 'policyRef']],
  [['depends_on'], ['spec', 'dependsOn']],
  [['id'], ['metadata', 'id']],
  [['name'], ['metadata', 'name']],
  [['labels'], ['metadata', 'labels']],
]

const inRules: Readonly<Record<string, string>> = { endpoints: 'endpointRefs', groups: 'groupRefs' }

/** The JSON pointer for a path in the entry. */
export function pointerInMonitor(path: Path): string {
  const found = places.find(([from]) => from.every((part, index) => path[index] === part))
  const [from, to] = found ?? [[], ['spec']]
  const rest = path.slice(from.length).map((part) => (from[0] === 'notify' ? (inRules[part] ?? part) : part))
  return jsonPointer([...to, ...rest])
}

export function jsonPointer(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
