// client/refused-certificate.ts: why the certificate of a service was refused, and what to do: `--ca-file`
// names an unknown authority, but does not help against a wrong name or an expired certificate. To name the
// host or the date, it fetches the certificate in a separate handshake, over which nothing is sent.
import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { refusedCertificate } from '@pulseward/server'

const ofAuthority =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)\w*)$/
const ofCertificate = /CERT|SIGNATURE|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$/

/** Null if the failure is not about the certificate. `caFile`: the only authorities that are trusted, if given. */
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

/** Undefined if it can no longer be fetched. */
async function certificateAt(host: string, port: number): Promise<X509Certificate | undefined> {
  const { promise, resolve } = Promise.withResolvers<X509Certificate | undefined>()
  const socket = connect({
    host,
    port,
    // The handshake does not allow an IP address as server name.
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
