// notify/driver/fields.ts: field types that several notifiers have in common. The title says what a field is for; the
// description goes on saying in which form it is written, which is what people are told who wrote it wrongly.

import { HttpUrl, Secret } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'

export function secret(title: string) {
  return Type.Unsafe<string>({ ...Secret, title })
}

/** Where a provider runs that people may also run themselves, or that sits behind a proxy. */
export function apiUrl(title: string, fallback?: string) {
  const annotations = fallback === undefined ? {} : { default: fallback }
  return Type.Unsafe<string>({ ...HttpUrl, title, ...annotations })
}
