// targets/trusted-authority.ts: makes this process trust the authority of the test certificates, as if it were in the
// system's store, for code that cannot be given an authority. `using trust = trustTestAuthority()`.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificates } from './certificates.ts'

export function trustTestAuthority(): Disposable {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificates.authority])
  return { [Symbol.dispose]: () => setDefaultCACertificates(before) }
}
