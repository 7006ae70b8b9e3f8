// access/principal-source.ts: where the list of principals comes from. Testing whether it has changed is
// cheap and happens constantly; a source other than a local file keeps a copy and answers from that.
import { type BigIntStats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type PrincipalsReading, readPrincipals } from './principals-file.ts'

export interface PrincipalSource {
  read(): PrincipalsReading
  /** Changes whenever the list may have changed. Never rejects: an unreachable list has a fingerprint too. */
  fingerprint(): Promise<string>
  /** The same, synchronously. */
  fingerprintNow(): string
}

export function principalsInFile(file: string): PrincipalSource {
  return {
    read: () => readPrincipals(file),
    fingerprint: () => stat(file, { bigint: true }).then(fingerprintOf, codeOf),
    fingerprintNow() {
      try {
        return fingerprintOf(statSync(file, { bigint: true }))
      } catch (error) {
        return codeOf(error)
      }
    },
  }
}

/** Made without reading the file, from its metadata. A file that is missing for a moment has one too. */
function fingerprintOf({ ino, size, mode, uid, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mode, uid, mtimeNs, ctimeNs].join(' ')
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}
