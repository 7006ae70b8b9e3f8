// platform/tls/secure-contexts.ts: what connections with the same authorities and the same proof of the client share. A
// context is costly to make, so each is made once. Its number stands for the identity wherever one is compared.
import type { SecureContext } from 'node:tls'
import { forgetOldest } from '../forget-oldest.ts'
import { tls } from '../late-modules.ts'
import { ConnectError } from '../network/network.ts'
import type { TlsIdentity } from './tls-options.ts'

const MAX_CONTEXTS = 256

/**
 * Every usual group for a key exchange, but none against quantum computers: its key share makes a handshake a tenth
 * dearer at least. They are not even named, since a server that prefers one would ask for its share with a hello retry, which takes
 * another round trip. A server that accepts nothing else is offered everything (handshakes.ts).
 */
const COMMON_GROUPS = 'X25519:P-256:P-384:P-521:X448:ffdhe2048:ffdhe3072'

const contexts = new Map<string, SharedContexts>()
let lastNumber = 0
/** Undefined until the first context is made; null if this build of OpenSSL lacks one of them. */
let commonGroups: string | null | undefined

export class SharedContexts {
  readonly number = ++lastNumber
  readonly #identity: TlsIdentity
  #everything: SecureContext | null = null
  /** Offers the common groups, with a key share for the first of them. */
  readonly common: SecureContext

  constructor(identity: TlsIdentity) {
    this.#identity = identity
    if (commonGroups === undefined) commonGroups = groupsOfThisBuild()
    this.common = contextOf(identity, commonGroups)
  }

  /** Offers every group that OpenSSL knows, and the key shares that it sees fit. */
  get everything(): SecureContext {
    this.#everything ??= contextOf(this.#identity, null)
    return this.#everything
  }
}

/** Throws ConnectError, code UNUSABLE. */
export function contextsFor(identity: TlsIdentity): SharedContexts {
  const { ca, certificate, key } = identity
  const id = `${ca ?? ''}\0${certificate ?? ''}\0${key ?? ''}`
  const known = contexts.get(id)
  if (known !== undefined) return known
  const shared = new SharedContexts(identity)
  if (contexts.size >= MAX_CONTEXTS) forgetOldest(contexts)
  contexts.set(id, shared)
  return shared
}

function contextOf({ ca, certificate, key }: TlsIdentity, groups: string | null): SecureContext {
  try {
    return tls().createSecureContext({ ca, cert: certificate, key, ecdhCurve: groups ?? undefined })
  } catch {
    // The error of OpenSSL says nothing to a person, and it must not quote what it could not read.
    throw new ConnectError('UNUSABLE', 'the configured ca, certificate or key of tls cannot be read', 'local')
  }
}

function groupsOfThisBuild(): string | null {
  try {
    tls().createSecureContext({ ecdhCurve: COMMON_GROUPS })
    return COMMON_GROUPS
  } catch {
    return null
  }
}
