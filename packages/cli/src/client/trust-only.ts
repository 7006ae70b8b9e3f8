// client/trust-only.ts: makes this process trust the authorities of --ca-file, and no others.
import { readFileSync } from 'node:fs'
import { setDefaultCACertificates } from 'node:tls'
import { UsageError } from '@pulseward/server'

export function trustOnly(file: string): void {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      `The file ${file} of --ca-file ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`,
      { cause: error },
    )
  }
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
  if (certificates === null) throw new UsageError(`The file ${file} of --ca-file holds no PEM certificate.`)
  try {
    setDefaultCACertificates(certificates)
  } catch (error) {
    throw new UsageError(`The file ${file} of --ca-file holds a certificate that cannot be read.`, {
      cause: error,
    })
  }
}
