// access/principal-source.ts: where the list of principals comes from. Asking whether it has changed is cheap and happens all
// the time; a source that is not a file on this machine keeps a copy, and answers from that.
import { type BigIntStats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type PrincipalsReading, readPrincipals } from './principals-file.ts'

export interface PrincipalSource {
  read(): PrincipalsReading
  /** Another text whenever the list may be another one. Never rejects: a list that cannot be reached has one too. */
  fingerprint(): Promise<string>
  /** The same at once. */
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

/** Of what can be told without reading: content, place and rights. A file that is missing for a moment has one too. */
function fingerprintOf({ ino, size, mode, uid, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mode, uid, mtimeNs, ctimeNs].join(' ')
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}
