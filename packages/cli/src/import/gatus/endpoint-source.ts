// import/gatus/endpoint-source.ts: what the kinds of Gatus endpoints are read from, and what several of them share.
import { type Fields, noCounterpart } from '../fields.ts'
import { stated } from '../monitor-parts.ts'
import type { Secrets } from '../secrets.ts'

export interface EndpointSource {
  readonly fields: Fields
  readonly client: Fields
  readonly url: string
  readonly conditions: readonly string[]
  readonly owner: string
  readonly secrets: Secrets
}

export interface EndpointCheck {
  readonly type: string
  readonly config: object
  /** The configuration of a tls check: a separate monitor watches the expiry of the certificate. */
  readonly certificate?: object | undefined
}

export function latencyWarning(limitMs: number | null, fields: Fields): string | undefined {
  if (limitMs === null) return undefined
  fields.note('conditions', 'the one on [RESPONSE_TIME] gives a warning here, not a failure')
  return `${Math.round(limitMs)}ms`
}

/** What a tls check verifies if the source accepts any certificate. */
export function anyCertificate(client: Fields): object | undefined {
  return client.flag('insecure') ? { chain: false, name: false } : undefined
}

export function tlsOptions(client: Fields, owner: string, secrets: Secrets): object | undefined {
  const files = client.fields('tls')
  files?.refuse(noCounterpart, 'renegotiation')
  const file = (key: string, purpose: string) => {
    const path = files?.text(key)
    return path === undefined ? undefined : secrets.file(owner, purpose, path)
  }
  const options = stated({
    verify: client.flag('insecure') ? false : undefined,
    certificate: file('certificate-file', 'certificate'),
    key: file('private-key-file', 'private key'),
  })
  return Object.keys(options).length === 0 ? undefined : options
}
