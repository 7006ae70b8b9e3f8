// v2/wire/resource.ts: what all writable resources have in common. Identity and versions are not interchangeable: id is
// permanent, uid identifies one incarnation, resourceVersion one edit, generation one spec.
import { type Static, type TSchema, Type } from 'typebox'
import type { ResourceKind } from '../kinds.ts'
import { count, countGiven, identifier, oneOf, revision, wireType } from './wire-type.ts'

export const apiVersion = 'pulseward/v2'

/** Who writes a resource: callers of this API, or a fleet file that the service was started with. */
export const managers = ['api', 'file'] as const

export const labelKeyPattern = '^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$'

export const Labels = Type.Record(
  Type.String({ pattern: labelKeyPattern }),
  Type.String({ maxLength: 256 }),
  { additionalProperties: false, maxProperties: 64, description: 'Names and values that selectors match.' },
)

export const Metadata = wireType('Metadata', 'Who a resource is, and which version of it this is.', {
  id: identifier(
    'The stable identity: at most 128 letters, digits and . _ : -. One that begins with name: is accepted only if the rest is the SHA-256 of the name.',
  ),
  uid: Type.Optional(
    Type.String({ description: 'New for every incarnation. Set by the service, ignored in a write.' }),
  ),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      description: 'What people call it: at most 256 characters, no control characters.',
    }),
  ),
  resourceVersion: Type.Optional(
    revision(
      'Changes with every edit of spec or metadata, never with a check. The value for If-Match. Ignored in a single write; compared with the current one in an item of an operation.',
    ),
  ),
  generation: Type.Optional(
    countGiven('Increases with every change of the spec, never with name or labels. Ignored in a write.'),
  ),
  labels: Type.Optional(Labels),
  managedBy: Type.Optional(
    oneOf(
      managers,
      'Who writes it: this API, or a fleet file, whose resources are read-only here. A write may repeat the current value; any other is refused.',
    ),
  ),
})

/** The envelope of one kind. */
export function resourceType<Kind extends ResourceKind, Spec extends TSchema, Status extends TSchema>(
  kind: Kind,
  description: string,
  parts: { spec: Spec; status: Status },
) {
  return wireType(kind, description, {
    apiVersion: Type.Literal(apiVersion),
    kind: Type.Literal(kind),
    metadata: Metadata,
    spec: parts.spec,
    status: Type.Optional(parts.status),
  })
}

/** Part of any status: whether the service runs the spec that was written. */
export const observedStatus = {
  observedGeneration: Type.Optional(count('The generation that the service runs.')),
}
export const ResourceStatus = wireType('ResourceStatus', 'What is known of a resource.', observedStatus)

export type Metadata = Static<typeof Metadata>
