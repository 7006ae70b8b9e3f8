// managing/credential-vault.ts: the vault over the credentials that the store has. When the key file changes, every stored
// value is rewrapped by the current key without becoming another version; then the data directory says so, and the
// command that rotates the key may remove the old ones.
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Settings } from '../config/settings/setting-table.ts'
import { dataDirectory } from '../store/data-directory.ts'
import type { ResealedValue } from '../store/resource.ts'
import type { Store } from '../store/store.ts'
import { SecretText, wrappingKeyOf } from '../vault/envelope.ts'
import { keyFilePath } from '../vault/key-file.ts'
import { Vault, type VaultTrouble } from '../vault/vault.ts'
import type { ManagedResource } from './managed-resource.ts'
import type { OperatorProblems } from './operator-problems.ts'
import { writeSealingRecord } from './sealing-record.ts'

/** What the vault has to know of the credentials that are there. */
export interface SealedCredentials {
  credentials(): Iterable<ManagedResource>
  /** The same value in another envelope. */
  resealed(value: ResealedValue): void
}

export interface CredentialVaultOptions {
  readonly settings: Settings
  readonly store: Pick<Store, 'reseal' | 'mode'>
  readonly sealed: SealedCredentials
  readonly problems: OperatorProblems
  /** Values may open now that did not before, or the other way round. */
  readonly valuesChanged: () => void
  readonly lookEveryMs?: number
}

/** In one transaction: a millisecond or two. */
const resealedAtOnce = 1_000
/** What is not committed yet will be, or will be taken back. */
const pendingLookMs = 50

export async function openCredentialVault(options: CredentialVaultOptions): Promise<Vault> {
  const { settings, store, sealed, problems, valuesChanged, lookEveryMs } = options
  const data = resolve(settings.data)
  // A restart forgets what is in memory, and its directory may not be there.
  const isKept = store.mode === 'sqlite'
  const opened: { vault: Vault | null } = { vault: null }
  const report = () => {
    if (opened.vault === null) return
    problems.report('credentials_key', problemOf(opened.vault))
  }
  const vault = await Vault.open({
    path: await keyFilePath(data, settings.credentials_key_file),
    keysInUse: keysInUse(sealed),
    rewrapAll: (vault) => rewrapAll(vault, store, sealed),
    async inForce(currentKeyId, keysInUse) {
      if (isKept)
        await writeSealingRecord(dataDirectory(data).sealing, { currentKeyId, keysInUse: [...keysInUse] })
    },
    problemChanged() {
      report()
      valuesChanged()
    },
    ...(lookEveryMs === undefined ? {} : { lookEveryMs }),
  })
  opened.vault = vault
  report()
  return vault
}

/** The keys that wrap a stored value now. */
export function keysInUse(sealed: Pick<SealedCredentials, 'credentials'>): Set<string> {
  const keys = new Set<string>()
  for (const { sealed: value } of sealed.credentials()) {
    const key = value === null ? null : wrappingKeyOf(value.value)
    if (key !== null) keys.add(key)
  }
  return keys
}

/** Decrypts values, each once: a fleet with many credentials asks for all of them at every change of one. */
export function revealer(vault: () => Pick<Vault, 'open'>): (credential: ManagedResource) => string | null {
  const known = new WeakMap<Uint8Array, string>()
  return ({ id, sealed }) => {
    if (sealed === null) return null
    const before = known.get(sealed.value)
    if (before !== undefined) return before
    const opened = vault().open(id, String(sealed.change), sealed.value)
    if (!(opened instanceof SecretText)) return null
    const value = opened.reveal()
    known.set(sealed.value, value)
    return value
  }
}

/** Until nothing that can be rewrapped is left, also of what is being committed meanwhile. */
async function rewrapAll(
  vault: Vault,
  store: Pick<Store, 'reseal'>,
  sealed: SealedCredentials,
): Promise<ReadonlySet<string>> {
  for (;;) {
    const values = rewrapped(vault, sealed)
    if (values.length === 0) return keysInUse(sealed)
    let left = 0
    for (let from = 0; from < values.length; from += resealedAtOnce) {
      const some = values.slice(from, from + resealedAtOnce)
      const done = new Set(await store.reseal(some))
      for (const value of some) {
        if (done.has(value.change)) sealed.resealed(value)
        else left++
      }
    }
    if (left > 0) await wait(pendingLookMs)
  }
}

/** Values that another key than the current one wraps, as the current one does. What does not open stays as it is. */
function rewrapped(vault: Vault, { credentials }: SealedCredentials): ResealedValue[] {
  const { currentKeyId } = vault
  return [...credentials()].flatMap(({ id, change, sealed }) => {
    if (sealed === null || wrappingKeyOf(sealed.value) === currentKeyId) return []
    const again = vault.rewrap(sealed.value)
    return again instanceof Uint8Array ? [{ id, change, sealed: again }] : []
  })
}

const troubleWords: Readonly<Record<VaultTrouble, string>> = {
  missing: 'the key file of credentials is missing',
  wrong: 'the key file of credentials is not the one that stored values are sealed with',
  damaged: 'the key file of credentials is damaged',
  empty: 'the key file of credentials is empty',
  exposed: 'the key file of credentials can be read by other users of the machine',
  inside: 'the key file of credentials lies inside the data directory',
  unreadable: 'the key file of credentials cannot be read',
  unwritable: 'the key file of credentials cannot be written',
  busy: 'the key file of credentials is being changed',
  'in-use': 'keys of credentials are still in use',
  'lacks-keys': 'the key file of credentials lacks keys that stored values are sealed with',
  'not-rewrapped': 'stored credentials could not be rewrapped by the current key',
}

/** Why nothing can be written to credentials, or some of them not be read: without the path that the log names. */
export function vaultTrouble({ trouble }: Pick<Vault, 'trouble'>): string | null {
  return trouble === null ? null : troubleWords[trouble]
}

function problemOf(vault: Vault) {
  const words = vaultTrouble(vault)
  return words === null || vault.problem === null ? null : { words, sentence: vault.problem, count: 1 }
}
