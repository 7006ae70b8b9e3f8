// kinds/job-type-in-force.ts: compiles what a job type requires of workers, once, or reports everything that
// is wrong with it. Each mistake has a JSON pointer into the resource, and repeats nothing of it.
import { v2 } from '@pulseward/contract'
import { externalDrivers } from '../config/external-driver.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { parseDuration } from '../platform/duration.ts'
import type { Json } from '../platform/json/json.ts'
import { compileSchema, type SchemaCompilation } from '../platform/json-schema/compile-schema.ts'
import type { CompiledSchema } from '../platform/json-schema/schema.ts'

export type JobKind = v2.JobType['spec']['kind']

export interface JobTypeInForce {
  readonly id: string
  readonly version: string
  readonly kind: JobKind
  /** Null to use the timeout of the check or action that uses it. */
  readonly timeoutMs: number | null
  readonly parameters: CompiledSchema
  readonly results: CompiledSchema
  readonly rejectionCodes: ReadonlySet<string>
}

export interface JobTypeMistake {
  readonly field: string
  readonly reason: v2.FieldReason
  /** The rest of a sentence about the field, without its full stop. */
  readonly message: string
}

export type JobTypeCompilation =
  | { readonly jobType: JobTypeInForce; readonly mistakes: readonly [] }
  | { readonly jobType: null; readonly mistakes: readonly JobTypeMistake[] }

/** The supported versions of the worker protocol. */
const protocolVersions: readonly string[] = ['1']
/** The longest id that a driver can name. */
const longestId = 128
const longestTimeoutMs = v2.limits.jobTimeoutHours * 3_600_000

const bounds = { bytes: v2.limits.jobSchemaBytes, valueDepth: v2.limits.bodyDepth }

/** The names of all drivers of any kind, and the names that job types get in the fleet: no job type may use them. */
export function builtInNames({ checks, recoveries, notifiers }: DriverShapes): ReadonlySet<string> {
  return new Set([checks, recoveries, notifiers, externalDrivers].flatMap((shapes) => Object.keys(shapes)))
}

/** The contract's schema has already validated its shape. builtIn: the drivers of the service itself. */
export function compileJobType(
  id: string,
  spec: v2.JobType['spec'],
  builtIn: ReadonlySet<string>,
): JobTypeCompilation {
  const parameters = compileSchema(spec.parameterSchema as Json, bounds)
  const results = compileSchema(spec.resultSchema as Json, bounds)
  const timeoutMs = spec.timeout === undefined ? null : parseDuration(spec.timeout)
  const mistakes = [
    ...idMistakes(id, builtIn),
    ...ruleMistakes(spec, timeoutMs),
    ...addedMistakes(spec),
    ...schemaMistakes('/spec/parameterSchema', parameters),
    ...schemaMistakes('/spec/resultSchema', results),
  ]
  if (mistakes.length > 0 || parameters.schema === null || results.schema === null)
    return { jobType: null, mistakes }
  const { version, kind, rejectionCodes = [] } = spec
  const jobType = {
    id,
    version,
    kind,
    timeoutMs,
    parameters: parameters.schema,
    results: results.schema,
    rejectionCodes: new Set(rejectionCodes),
  }
  return { jobType, mistakes: [] }
}

function idMistakes(id: string, builtIn: ReadonlySet<string>): JobTypeMistake[] {
  const field = '/metadata/id'
  if (builtIn.has(id))
    return [{ field, reason: 'notAllowed', message: 'is the name of a driver of the service; take another' }]
  if (id.length <= longestId) return []
  const message = `must have at most ${longestId} characters, so that a driver can name it`
  return [{ field, reason: 'tooLong', message }]
}

/** Parameters that the service adds to an action, so that people must not define them. */
const added: Readonly<Partial<Record<JobKind, string>>> = {
  recovery: 'intervention',
  notification: 'notification',
}

function addedMistakes({ kind, parameterSchema }: v2.JobType['spec']): JobTypeMistake[] {
  const name = added[kind]
  const { properties } = parameterSchema as { properties?: unknown }
  if (name === undefined || typeof properties !== 'object' || properties === null) return []
  if (!Object.hasOwn(properties, name)) return []
  const field = `/spec/parameterSchema/properties/${name}`
  return [{ field, reason: 'notAllowed', message: `is what the service adds to the parameters of a ${kind}` }]
}

function ruleMistakes(spec: v2.JobType['spec'], timeoutMs: number | null): JobTypeMistake[] {
  const { timeout, protocolVersion, rejectionCodes = [] } = spec
  const mistakes: JobTypeMistake[] = []
  if (!protocolVersions.includes(protocolVersion))
    mistakes.push({
      field: '/spec/protocolVersion',
      reason: 'notAllowed',
      message: `must be ${protocolVersions.join(' or ')}`,
    })
  if (timeout !== undefined && (timeoutMs === null || timeoutMs <= 0 || timeoutMs > longestTimeoutMs))
    mistakes.push({
      field: '/spec/timeout',
      reason: timeoutMs === null ? 'malformed' : timeoutMs <= 0 ? 'tooSmall' : 'tooLarge',
      message: `must be more than 0s and at most ${v2.limits.jobTimeoutHours}h`,
    })
  for (const [index, code] of rejectionCodes.entries())
    if (rejectionCodes.indexOf(code) < index)
      mistakes.push({
        field: `/spec/rejectionCodes/${index}`,
        reason: 'rule',
        message: 'is in the list twice',
      })
  return mistakes
}

function schemaMistakes(place: string, { mistakes }: SchemaCompilation): JobTypeMistake[] {
  return mistakes.map(({ pointer, reason, message }) => ({ field: `${place}${pointer}`, reason, message }))
}
