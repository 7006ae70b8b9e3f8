// v2/wire/job-type.ts: work for workers outside the service. A version never changes once it is written.
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { ResourceStatus, resourceType } from './resource.ts'
import { anyObject, duration, listing, listOf, oneOf, text, wireType } from './wire-type.ts'

export const jobKinds = ['check', 'recovery', 'notification'] as const

const jsonSchema = (description: string) =>
  Type.Union([Type.Unsafe<Record<string, unknown>>(anyObject), Type.Boolean()], {
    description: `${description} A JSON Schema (subset of 2020-12) of at most 64 KiB without remote references.`,
  })

export const JobTypeSpec = wireType('JobTypeSpec', 'What a worker must be able to do.', {
  version: text('The version of this job type; immutable once written.', { minLength: 1, maxLength: 128 }),
  kind: oneOf(jobKinds, 'Whether it is a check, a recovery or a notification.'),
  handler: text('The handler in the worker.', { minLength: 1, maxLength: 128 }),
  protocolVersion: text('The version of the worker protocol.', { minLength: 1, maxLength: 32 }),
  parameterSchema: jsonSchema('What a job gets.'),
  resultSchema: jsonSchema('What a job gives.'),
  timeout: Type.Optional(duration('Time that a job may take, at most 24h.')),
  rejectionCodes: Type.Optional(
    listing(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
      'Codes that a worker may reject a job with.',
      { maxItems: limits.rejectionCodes },
    ),
  ),
})

export const JobType = resourceType('JobType', 'Work that external workers take on.', {
  spec: JobTypeSpec,
  status: ResourceStatus,
})
export const JobTypeList = listOf('JobTypeList', JobType)

export type JobType = Static<typeof JobType>
export type JobTypeList = Static<typeof JobTypeList>
