// v2/wire/merge-patch.ts: RFC 7396. null removes, arrays replace, and the result is validated as a whole.
import { type Static, Type } from 'typebox'
import { anyObject } from './wire-type.ts'

export const MergePatch = Type.Unsafe<Record<string, unknown>>({
  ...anyObject,
  title: 'MergePatch',
  description: 'A JSON merge patch (RFC 7396) of a resource: null removes, arrays replace.',
})

export type MergePatch = Static<typeof MergePatch>
