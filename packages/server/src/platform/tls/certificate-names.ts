// platform/tls/certificate-names.ts: whether a certificate is for a name. Most checks see the certificate that the last one
// saw, so answers are remembered: to read the names of one and compare them costs more than its fingerprint.
import type { X509Certificate } from 'node:crypto'
import { forgetOldest } from '../forget-oldest.ts'
import { tls } from '../late-modules.ts'

const MAX_ANSWERS = 4_096
const answers = new Map<string, boolean>()

export function isFor(certificate: X509Certificate, host: string): boolean {
  const question = `${certificate.fingerprint256} ${host}`
  const known = answers.get(question)
  if (known !== undefined) return known
  // Not from getPeerCertificate: Node.js 24 answers it with nothing once getPeerX509Certificate was called.
  const answer = tls().checkServerIdentity(host, certificate.toLegacyObject()) === undefined
  if (answers.size >= MAX_ANSWERS) forgetOldest(answers)
  answers.set(question, answer)
  return answer
}
