// config/settings/store-place.ts: the setting that says where state is kept. A URL may have a password, which is never
// shown, and which every user of the machine can see on a command line.
import { Type } from '../../platform/schema-type.ts'

export const StorePlace = Type.Unsafe<string>({
  type: 'string',
  pattern: '^(memory|sqlite|postgres(ql)?://.+)$',
  description: 'memory, sqlite or a URL such as postgres://USER@HOST/DATABASE.',
  examples: ['memory', 'sqlite'],
  // So that no message shows what is written.
  secret: true,
})

const password = /^(postgres(?:ql)?:\/\/[^:@]*):.*@/

export function withoutPassword(store: string): string {
  return store.replace(password, '$1:***@')
}

/** What is unsafe about how the store was given; null if nothing is. */
export function storePlaceConcern({
  values,
  origins,
}: {
  readonly values: { readonly store: string }
  readonly origins: { readonly store: string }
}): string | null {
  return password.test(values.store) && origins.store.startsWith('flag ')
    ? 'The password of the store is on the command line, where every user of this machine sees it until the service has started; use --store-password-file, PGPASSFILE or PULSEWARD_STORE.'
    : null
}

/** Whether processes on other machines can reach the store, and stand by for the one that has it. */
export function isSharedStore(store: string): boolean {
  return /^postgres(ql)?:/.test(store)
}
