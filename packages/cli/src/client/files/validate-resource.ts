// client/files/validate-resource.ts: holds a resource of a file against the contract, before anything is sent. Messages
// say what is allowed and never repeat a value: it may be a secret.
import { v2 } from '@pulseward/contract'
import { nearestName } from '@pulseward/server'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Mistake, Path } from './mistake.ts'

const validators = new Map<string, Validator>()

function validatorOf(kind: v2.ResourceKind): Validator {
  const known = validators.get(kind) ?? Compile(v2.resourceTypes[kind].one as TSchema)
  validators.set(kind, known)
  return known
}

export function mistakesOf(resource: unknown): Mistake[] {
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    return [{ path: [], message: 'a resource is an object with apiVersion, kind, metadata and spec' }]
  const { apiVersion, kind } = resource as { apiVersion?: unknown; kind?: unknown }
  if (apiVersion === undefined && ('monitors' in resource || 'defaults' in resource || 'version' in resource))
    return [
      {
        path: [],
        message: `belongs into a fleet file; here resources of ${v2.apiVersion} are expected, and a file holds one or the other`,
      },
    ]
  if (apiVersion !== v2.apiVersion) return [{ path: ['apiVersion'], message: `must be ${v2.apiVersion}` }]
  if (!isKind(kind)) return [{ path: ['kind'], message: kindMessage(kind) }]
  const validator = validatorOf(kind)
  return validator.Check(resource)
    ? [...placeholdersIn(resource), ...(hasFiniteNumbers(resource) ? [] : numbersBeyondJson(resource))]
    : validator
        .Errors(resource)
        .flatMap((error) => mistakeOf(error as SchemaError, v2.resourceTypes[kind].one))
}

function isKind(kind: unknown): kind is v2.ResourceKind {
  return (v2.resourceKinds as readonly unknown[]).includes(kind)
}

function kindMessage(kind: unknown): string {
  const nearest = typeof kind === 'string' ? nearestName(kind, v2.resourceKinds) : null
  return `must be one of ${v2.resourceKinds.join(', ')}${nearest === null ? '' : `; did you mean ${nearest}?`}`
}

/** What an answer shows instead of a secret must never be written back as one. */
function placeholdersIn(resource: object): Mistake[] {
  const { kind, spec } = resource as { kind: string; spec: { value?: unknown } }
  const isPlaceholder =
    kind === 'Credential' && typeof spec.value === 'string' && /^\[[A-Z]+\]$/.test(spec.value)
  return isPlaceholder
    ? [{ path: ['spec', 'value'], message: 'is a placeholder; leave it out to keep the secret' }]
    : []
}

/** Of everything in it; quickly, since nearly always it is so. */
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

interface SchemaError {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

function mistakeOf(
  { keyword, schemaPath, instancePath, params, message }: SchemaError,
  root: TSchema,
): Mistake[] {
  const path = stepsOf(instancePath).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  const schema = nodeAt(root, schemaPath)
  switch (keyword) {
    case 'boolean':
      // Said again, and better, for the object that the key stands in.
      return []
    case 'additionalProperties':
      return (params['additionalProperties'] as string[]).map((key) => unknownKey(path, key, schema))
    case 'required':
      return [{ path, message: `${quoted(params['requiredProperties'] as string[])} missing` }]
    case 'type':
      return [{ path, message: `must be ${typeWords[String(params['type'])] ?? params['type']}` }]
    case 'enum':
      return [{ path, message: `must be one of ${(schema['enum'] as unknown[]).join(', ')}` }]
    case 'pattern':
      return [{ path, message: patternWords(schema) }]
    default:
      return [{ path, message }]
  }
}

function patternWords({ pattern, description }: Record<string, unknown>): string {
  const form = v2.forms.get(String(pattern))
  if (form !== undefined) return `must be ${form}`
  return description === undefined ? `must match ${pattern}` : `does not fit: ${description}`
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

function quoted(keys: readonly string[]): string {
  return `${keys.map((key) => `"${key}"`).join(', ')} ${keys.length === 1 ? 'is' : 'are'}`
}

function unknownKey(path: Path, key: string, { properties }: { properties?: object }): Mistake {
  const nearest = nearestName(key, Object.keys(properties ?? {}))
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`
  return { path: [...path, key], message: `is not known here${hint}`, isKey: true }
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function nodeAt(root: TSchema, pointer: string): Record<string, unknown> {
  let node: unknown = root
  for (const step of stepsOf(pointer)) node = (node as Record<string, unknown> | undefined)?.[step]
  return (node ?? {}) as Record<string, unknown>
}
