// notify/driver/fields.ts: field types that several notifiers share. The title says what a field is for; the
// description says how it is written, which is what a user sees who wrote it wrongly.

import { HttpUrl, Secret } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'

export function secret(title: string) {
  return Type.Unsafe<string>({ ...Secret, title })
}

/** The address of a provider that users may run themselves or reach through a proxy. */
export function apiUrl(title: string, fallback?: string) {
  const annotations = fallback === undefined ? {} : { default: fallback }
  return Type.Unsafe<string>({ ...HttpUrl, title, ...annotations })
}
