// config/settings/server-identity.ts: the TLS certificate and key of the listener. Any mistake in them stops
// the start: falling back to plain HTTP would send the token in the clear.
import { readFileSync } from 'node:fs'
import { tls } from '../../platform/late-modules.ts'
import { UsageError } from '../../platform/usage-error.ts'

/** Both as PEM. */
export interface ServerIdentity {
  readonly certificate: string
  readonly key: string
}

/** Null if neither file is given. */
export function readServerIdentity(
  certificateFile: string | null,
  keyFile: string | null,
): ServerIdentity | null {
  if (certificateFile === null && keyFile === null) return null
  if (certificateFile === null) throw new UsageError('tls.key_file needs tls.certificate_file beside it.')
  if (keyFile === null) throw new UsageError('tls.certificate_file needs tls.key_file beside it.')
  const certificate = readPem(
    certificateFile,
    'tls.certificate_file',
    'certificate',
    /-----BEGIN (TRUSTED )?CERTIFICATE-----/,
  )
  const key = readPem(keyFile, 'tls.key_file', 'private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/)
  requireUsable(certificate, `The certificate ${certificateFile} cannot be used`)
  requireUsable(certificate, `The key ${keyFile} does not fit the certificate ${certificateFile}`, key)
  return { certificate, key }
}

function readPem(file: string, setting: string, noun: string, form: RegExp): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    throw new UsageError(`${setting}: the file ${file} ${why}.`, { cause: error })
  }
  if (!form.test(text)) throw new UsageError(`${setting}: the file ${file} contains no PEM ${noun}.`)
  return text
}

function requireUsable(cert: string, sentence: string, key?: string): void {
  try {
    tls().createSecureContext({ cert, ...(key === undefined ? {} : { key }) })
  } catch (error) {
    // OpenSSL's code names the problem without revealing a byte of the key.
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${sentence}${code === undefined ? '' : ` (${code})`}.`, { cause: error })
  }
}
