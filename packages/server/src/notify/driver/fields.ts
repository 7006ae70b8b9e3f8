// notify/driver/fields.ts: field types that several notifiers share. The title says what a field is for; the
// description says how it is written, which is what a user sees who wrote it wrongly.

import { HttpUrl, OneLineSecret, Secret } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'

/** A token or a key: it stands in a header, a path or a form, where a line break never belongs. */
export function secret(title: string) {
  return Type.Unsafe<string>({ ...OneLineSecret, title })
}

/** A whole URL, which is read as a browser does: white space around it does not count. */
export function secretUrl(title: string) {
  return Type.Unsafe<string>({ ...Secret, title })
}

/** The address of a provider that users may run themselves or reach through a proxy. */
export function apiUrl(title: string, fallback?: string) {
  const annotations = fallback === undefined ? {} : { default: fallback }
  return Type.Unsafe<string>({ ...HttpUrl, title, ...annotations })
}
