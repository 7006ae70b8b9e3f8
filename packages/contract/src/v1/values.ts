// v1/values.ts: the words of the v1 wire, each list in the order that the contract gives it.
import { type TSchema, Type } from 'typebox'

/** In order of precedence: the first that applies is the status. */
export const statuses = ['disabled', 'verifying', 'incident', 'down', 'unknown', 'degraded', 'up'] as const
export type Status = (typeof statuses)[number]

/** Pending notification colors, the most important first. */
export const codes = ['red', 'yellow', 'cyan', 'green', 'gray'] as const
export type Code = (typeof codes)[number]

export const pipelines = ['pulse', 'intervention', 'code'] as const
export type Pipeline = (typeof pipelines)[number]

/** RFC 3339 in UTC with milliseconds. */
export const Timestamp = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })
export const Count = Type.Integer({ minimum: 0 })
export const Percent = Type.Number({ minimum: 0, maximum: 100 })

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}
