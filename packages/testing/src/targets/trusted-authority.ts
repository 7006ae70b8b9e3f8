// targets/trusted-authority.ts: lets this process trust the authority of the test certificates, as if it stood in
// the system's store, for code that takes no authority of its own. `using trust = trustTestAuthority()`.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificates } from './certificates.ts'

export function trustTestAuthority(): Disposable {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificates.authority])
  return { [Symbol.dispose]: () => setDefaultCACertificates(before) }
}
