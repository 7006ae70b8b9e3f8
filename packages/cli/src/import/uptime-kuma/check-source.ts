// import/uptime-kuma/check-source.ts: what the check of a monitor is read from.
import type { Fields } from '../fields.ts'
import type { Secrets } from '../secrets.ts'
import type { KumaSource } from './source.ts'

export interface CheckSource {
  readonly fields: Fields
  readonly owner: string
  readonly secrets: Secrets
  readonly source: KumaSource
}
