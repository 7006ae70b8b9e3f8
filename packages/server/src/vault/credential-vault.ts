// vault/credential-vault.ts: the vault for the credentials in the store. When the key file changes, every
// stored value is rewrapped with the current key, without a new version. Then the sealing record in the data
// directory says so, and the command that rotates the key may remove the old keys.
import { setTimeout as wait } from 'node:timers/promises'
import { SecretText, wrappingKeyOf } from './envelope.ts'
import { keyFilePath } from './key-file.ts'
import { writeSealingRecord } from './sealing-record.ts'
import { Vault, type VaultTrouble } from './vault.ts'

/** The fields of a credential that the vault needs. */
export interface SealedCredential {
  readonly id: string
  /** The number of the change that made this version. */
  readonly change: number
  /** Its value, encrypted, and the number of the change that set it. */
  readonly sealed: { readonly value: Uint8Array; readonly change: number } | null
}

/** The value of a version in a new envelope. */
export interface Resealed {
  readonly id: string
  readonly change: number
  readonly sealed: Uint8Array
}

/** What the vault needs to know about the existing credentials. */
export interface SealedCredentials {
  credentials(): Iterable<SealedCredential>
  /** Notes the new envelope of a value. */
  resealed(value: Resealed): void
}

export interface VaultProblem {
  readonly words: string
  readonly sentence: string
  readonly count: number
}

export interface CredentialVaultOptions {
  /** The data directory, and the setting credentials_key_file. */
  readonly data: string
  readonly keyFile: string | null
  /** Where the service records which keys it needs; null if nothing outlives the process. */
  readonly sealingRecord: string | null
  /** Stores new envelopes, and returns the changes of those that were stored. */
  readonly reseal: (values: readonly Resealed[]) => Promise<readonly number[]>
  readonly sealed: SealedCredentials
  readonly report: (problem: VaultProblem | null) => void
  /** Called when values may open that did not before, or the other way round. */
  readonly valuesChanged: () => void
  readonly lookEveryMs?: number
}

/** Values per transaction, which takes a millisecond or two. */
const resealedAtOnce = 1_000
/** An uncommitted change will soon be committed or rolled back. */
const pendingLookMs = 50

export async function openCredentialVault(options: CredentialVaultOptions): Promise<Vault> {
  const { data, keyFile, sealingRecord, reseal, sealed, valuesChanged, lookEveryMs } = options
  const opened: { vault: Vault | null } = { vault: null }
  const report = () => {
    if (opened.vault !== null) options.report(problemOf(opened.vault))
  }
  const vault = await Vault.open({
    path: await keyFilePath(data, keyFile),
    keysInUse: keysInUse(sealed.credentials()),
    rewrapAll: (vault) => rewrapAll(vault, reseal, sealed),
    async inForce(currentKeyId, keysInUse) {
      if (sealingRecord !== null)
        await writeSealingRecord(sealingRecord, { currentKeyId, keysInUse: [...keysInUse] })
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

/** The keys that currently wrap stored values. */
export function keysInUse(credentials: Iterable<SealedCredential>): Set<string> {
  const keys = new Set<string>()
  for (const { sealed: value } of credentials) {
    const key = value === null ? null : wrappingKeyOf(value.value)
    if (key !== null) keys.add(key)
  }
  return keys
}

/** Decrypts each value once: a fleet with many credentials needs all of them whenever one changes. */
export function revealer(vault: () => Pick<Vault, 'open'>): (credential: SealedCredential) => string | null {
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

/** Repeats until nothing is left to rewrap, including values that are being committed meanwhile. */
async function rewrapAll(
  vault: Vault,
  reseal: CredentialVaultOptions['reseal'],
  sealed: SealedCredentials,
): Promise<ReadonlySet<string>> {
  for (;;) {
    const values = rewrapped(vault, sealed)
    if (values.length === 0) return keysInUse(sealed.credentials())
    let left = 0
    for (let from = 0; from < values.length; from += resealedAtOnce) {
      const some = values.slice(from, from + resealedAtOnce)
      const done = new Set(await reseal(some))
      for (const value of some) {
        if (done.has(value.change)) sealed.resealed(value)
        else left++
      }
    }
    if (left > 0) await wait(pendingLookMs)
  }
}

/** The values not wrapped with the current key, rewrapped with it. Values that do not open are left out. */
function rewrapped(vault: Vault, { credentials }: SealedCredentials): Resealed[] {
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

/** Why credentials cannot be written, or some of them not read; without the path, which only the log names. */
export function vaultTrouble({ trouble }: Pick<Vault, 'trouble'>): string | null {
  return trouble === null ? null : troubleWords[trouble]
}

function problemOf(vault: Vault): VaultProblem | null {
  const words = vaultTrouble(vault)
  return words === null || vault.problem === null ? null : { words, sentence: vault.problem, count: 1 }
}
