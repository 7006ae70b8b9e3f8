// client/refused-certificate.ts: why the certificate of a service is refused, and what to do about it: an authority that is
// not known is named with --ca-file, while no authority helps against a wrong name or a certificate that has expired. To say
// which name or day it is, the certificate is looked at in a handshake of its own, over which nothing is sent.
import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { refusedCertificate } from '@pulseward/server'

const ofAuthority =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)\w*)$/
const ofCertificate = /CERT|SIGNATURE|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$/

/** Null for a failure that is not about the certificate. caFile: the only authorities that are trusted, if there is one. */
export async function certificateRefusal(
  code: string | null,
  address: string,
  caFile: string | null,
): Promise<string | null> {
  if (code === null || !ofCertificate.test(code)) return null
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  const why = refusedCertificate(code, await certificateAt(host, Number(port || 443)), host)
  const remedy = remedyOf(code, caFile)
  return remedy === null ? why : `${why}; ${remedy}`
}

function remedyOf(code: string, caFile: string | null): string | null {
  if (ofAuthority.test(code))
    return caFile === null
      ? '--ca-file names the authority to trust'
      : `only the authorities in ${caFile} are trusted`
  if (code === 'CERT_HAS_EXPIRED') return 'it has to be renewed'
  if (code === 'CERT_NOT_YET_VALID') return 'check the clock of this machine'
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'give a name of the certificate in --server' : null
}

const longestLookMs = 2_000

/** Undefined when it cannot be seen any more. */
async function certificateAt(host: string, port: number): Promise<X509Certificate | undefined> {
  const { promise, resolve } = Promise.withResolvers<X509Certificate | undefined>()
  const socket = connect({
    host,
    port,
    // The handshake does not allow an address in the place of a name.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: false,
  })
  socket.once('secureConnect', () => resolve(socket.getPeerX509Certificate()))
  socket.on('error', () => resolve(undefined))
  socket.setTimeout(longestLookMs, () => resolve(undefined))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
