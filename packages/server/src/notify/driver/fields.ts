// notify/driver/fields.ts: field types that several notifiers share. The title says what a field is for; the
// description says how it is written, and is shown to a user who got it wrong.

import { HttpUrl, OneLineSecret, Secret } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'

/** A token or a key. It is used in a header, a path or a form, where a line break is never valid. */
export function secret(title: string) {
  return Type.Unsafe<string>({ ...OneLineSecret, title })
}

/** A whole URL. As in a browser, white space around it is ignored. */
export function secretUrl(title: string) {
  return Type.Unsafe<string>({ ...Secret, title })
}

/** The address of a provider that users may run themselves or reach through a proxy. */
export function apiUrl(title: string, fallback?: string) {
  const annotations = fallback === undefined ? {} : { default: fallback }
  return Type.Unsafe<string>({ ...HttpUrl, title, ...annotations })
}
