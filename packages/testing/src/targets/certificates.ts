// targets/certificates.ts: the identities that TLS tests stand on, kept as files so that tests need no tool.
// All but those signed by themselves and the chain are issued by `authority`; they last until 2125 unless their comment says
// otherwise.
import { readFileSync } from 'node:fs'

export interface Identity {
  /** Certificate in PEM. */
  readonly certificate: string
  /** Private key in PEM. */
  readonly key: string
}

function read(name: string): string {
  return readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8')
}

function identity(name: string): Identity {
  const pem = read(name)
  const keyAt = pem.indexOf('-----BEGIN PRIVATE KEY-----')
  return { certificate: pem.slice(0, keyAt), key: pem.slice(keyAt) }
}

export const certificates = {
  authority: read('authority'),
  /** For shop.test, localhost, 127.0.0.1 and ::1. */
  good: identity('good'),
  /** As good, but its time ended on 2026-01-02. */
  expired: identity('expired'),
  /** As good, but its time begins in 2120. */
  future: identity('future'),
  /** For other.test alone. */
  other: identity('other'),
  /** As good, but signed by itself. */
  selfSigned: identity('self-signed'),
  /** As good, but signed by itself, and its time ends on 2124-06-30. */
  renewed: identity('renewed'),
  /** As good, but signed by itself, and with an RSA key; the keys of the others are on P-256. */
  rsa: identity('rsa'),
  /** Proves a client. */
  client: identity('client'),
  /** As good, but signed by an intermediate authority, and that by a root of its own. */
  chain: {
    root: read('chain-root'),
    intermediate: read('chain-intermediate'),
    leaf: identity('chain-leaf'),
  },
} as const

/** The end of every certificate above that does not say another one. */
export const CERTIFICATES_END_AT = Date.UTC(2125, 11, 31)
