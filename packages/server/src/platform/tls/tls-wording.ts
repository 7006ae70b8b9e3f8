// platform/tls/tls-wording.ts: explains TLS failures to people: the codes of OpenSSL and Node as sentences.
import type { X509Certificate } from 'node:crypto'
import { dayOf, quote } from '../wording.ts'

const UNTRUSTED = 'the certificate is not signed by a trusted authority'

const CHAIN_SENTENCES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `${UNTRUSTED} (self-signed)`,
  SELF_SIGNED_CERT_IN_CHAIN: `${UNTRUSTED} (its root is not known here)`,
  UNABLE_TO_GET_ISSUER_CERT: `${UNTRUSTED} (its issuer is not known here)`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${UNTRUSTED} (its issuer is not known here)`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${UNTRUSTED} (the server may not send its intermediate certificate)`,
  CERT_REVOKED: 'the certificate is revoked',
  CERT_SIGNATURE_FAILURE: 'the signature of the certificate is wrong',
  INVALID_CA: 'the certificate is signed by one that may not sign others',
  INVALID_PURPOSE: 'the certificate is not meant for servers',
  HOSTNAME_MISMATCH: 'the certificate is for another name',
}

/** Node's code for a certificate that is valid, but for another name. */
export const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID'

/** Why a certificate is refused. `code` is Node's code for the failed verification. */
export function refusedCertificate(
  code: string,
  certificate: X509Certificate | undefined,
  host: string,
): string {
  const now = Date.now()
  if (certificate !== undefined) {
    const validFrom = certificate.validFromDate.getTime()
    const validTo = certificate.validToDate.getTime()
    if (code === 'CERT_HAS_EXPIRED' && validTo <= now) return `the certificate expired on ${dayOf(validTo)}`
    if (code === 'CERT_NOT_YET_VALID' && validFrom > now)
      return `the certificate is not valid before ${dayOf(validFrom)}`
    if (code === WRONG_NAME) return `the certificate is for ${namesOf(certificate)}, not ${host}`
  }
  if (code === 'CERT_HAS_EXPIRED') return 'a certificate of an issuer in the chain has expired'
  if (code === 'CERT_NOT_YET_VALID') return 'a certificate of an issuer in the chain is not valid yet'
  return CHAIN_SENTENCES[code] ?? `the certificate was refused (${code})`
}

const NOT_TLS = new Set([
  'WRONG_VERSION_NUMBER',
  'PACKET_LENGTH_TOO_LONG',
  'HTTP_REQUEST',
  'RECORD_LAYER_FAILURE',
])
const NO_VERSION = new Set(['UNSUPPORTED_PROTOCOL', 'TLSV1_ALERT_PROTOCOL_VERSION', 'WRONG_SSL_VERSION'])
const REFUSED_CLIENT =
  /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_(EXPIRED|REVOKED|UNKNOWN)|UNSUPPORTED_CERTIFICATE)/

/** A failure of the protocol itself, by its OpenSSL code. */
export function secureFailure(errorCode: string): string {
  const code = errorCode.replace('ERR_SSL_', '')
  if (NOT_TLS.has(code)) return 'the server did not speak TLS'
  if (NO_VERSION.has(code)) return 'the server offers no TLS version that is still safe'
  if (/CERTIFICATE_REQUIRED/.test(code)) return 'the server asks for a client certificate'
  if (REFUSED_CLIENT.test(code)) return 'the server refused the client certificate'
  if (/NO_APPLICATION_PROTOCOL/.test(code)) return 'the server does not offer this protocol over TLS'
  if (/HANDSHAKE_FAILURE/.test(code)) return 'the server refused the TLS handshake'
  if (/UNRECOGNIZED_NAME/.test(code)) return 'the server does not know the name it was asked for'
  return `TLS failed (${code.toLowerCase().replaceAll('_', ' ')})`
}

function namesOf(certificate: X509Certificate): string {
  const names = (certificate.subjectAltName ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''))
  const known = names.filter((name) => name !== '')
  if (known.length === 0) return 'no name'
  const shown = quote(known.slice(0, 3).join(', ')).slice(1, -1)
  return known.length > 3 ? `${shown} and ${known.length - 3} more` : shown
}
