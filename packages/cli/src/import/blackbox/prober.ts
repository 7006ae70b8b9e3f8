// import/blackbox/prober.ts: what a module is read from, and what it becomes.
import type { Fields } from '../fields.ts'
import type { Secrets } from '../secrets.ts'

export interface ProbeCheck {
  readonly type: string
  readonly config: object
}

/** `owner`: what the secrets of the target are named after. */
export type Prober = (address: string, owner: string) => ProbeCheck

export interface Module {
  readonly timeoutMs: number | null
  readonly check: Prober
}

export interface ModuleSource {
  readonly fields: Fields
  readonly name: string
  readonly secrets: Secrets
}
