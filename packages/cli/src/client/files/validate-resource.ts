// client/files/validate-resource.ts: validates a resource of a file against the contract before anything is sent, in the
// words that `pulseward validate` has for a fleet file. They never repeat the value of a credential.
import { v2 } from '@pulseward/contract'
import { compileAccept, explainShape } from '@pulseward/server'
import type { TSchema } from 'typebox'
import type { Mistake, Path } from './mistake.ts'

const validators = new Map<v2.ResourceKind, (resource: unknown) => boolean>()

function isOfShape(kind: v2.ResourceKind, resource: object): boolean {
  const known = validators.get(kind) ?? compileAccept(v2.resourceTypes[kind].one)
  validators.set(kind, known)
  return known(resource)
}

export function mistakesOf(resource: unknown): Mistake[] {
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    return [{ path: [], message: 'a resource is an object with apiVersion, kind, metadata and spec' }]
  const { apiVersion, kind } = resource as { apiVersion?: unknown; kind?: unknown }
  if (apiVersion === undefined && ('monitors' in resource || 'defaults' in resource || 'version' in resource))
    return [
      {
        path: [],
        message: `is part of a fleet file; put it into a file of its own, apart from resources of ${v2.apiVersion}`,
      },
    ]
  if (apiVersion !== v2.apiVersion) return [{ path: ['apiVersion'], message: `must be ${v2.apiVersion}` }]
  if (!isKind(kind)) return explained({ enum: v2.resourceKinds }, kind, ['kind'])
  if (isOfShape(kind, resource))
    return [...placeholdersIn(resource), ...(hasFiniteNumbers(resource) ? [] : numbersBeyondJson(resource))]
  return explained(v2.resourceTypes[kind].one, resource, [])
}

function explained(schema: TSchema, value: unknown, at: Path): Mistake[] {
  return explainShape(schema, value, at).map(({ path, message, atKey }) => ({
    path,
    message,
    ...(atKey === true && { isKey: true }),
  }))
}

function isKind(kind: unknown): kind is v2.ResourceKind {
  return (v2.resourceKinds as readonly unknown[]).includes(kind)
}

/** The placeholder that answers show instead of a secret must never be written back as one. */
function placeholdersIn(resource: object): Mistake[] {
  const { kind, spec } = resource as { kind: string; spec: { value?: unknown } }
  const isPlaceholder =
    kind === 'Credential' && typeof spec.value === 'string' && /^\[[A-Z]+\]$/.test(spec.value)
  return isPlaceholder
    ? [{ path: ['spec', 'value'], message: 'is a placeholder; leave it out to keep the secret' }]
    : []
}

/** Checks nested values too. Fast, since it is nearly always true. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(hasFiniteNumbers)
}

/** YAML can write numbers that JSON cannot. */
function numbersBeyondJson(value: unknown, path: Path = []): Mistake[] {
  if (typeof value === 'number' && !Number.isFinite(value))
    return [{ path, message: 'must be a finite number' }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    numbersBeyondJson(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}
