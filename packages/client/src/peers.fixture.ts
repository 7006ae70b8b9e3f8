// peers.fixture.ts: the two services that the client library is tested against: the peer that knows only the contract,
// and the edition that serves v2. Each says how to call an operation, and which ones it does not have.
import type { v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import { needExternalJobs, serveNext, troubledFleet, V2Calls } from '@pulseward/testing/editions'
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { type Client, createClient, type ErrorCategory, type V2Methods } from './index.ts'

export type Given = Record<string, unknown>

export interface Peer extends AsyncDisposable {
  readonly client: Client
  /** How a call fails here that succeeds elsewhere; null if it succeeds. */
  failureOf(name: v2.OperationName): ErrorCategory | null
  /** Arguments with which the operation succeeds. */
  givenFor(name: v2.OperationName): Promise<Given>
}

const token = 'a-token-of-at-least-32-characters'

async function referencePeer(): Promise<Peer> {
  const peer = await ReferencePeer.start({ token })
  return {
    client: createClient({ baseUrl: peer.url, token, allowInsecureHttp: true }),
    failureOf: () => null,
    givenFor: async (name) => givenIn({ ...exchanges[name], id: exchanges[name].path['id'] }),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  }
}

async function servedEdition(): Promise<Peer> {
  const next = await serveNext(await troubledFleet())
  const calls = await V2Calls.begin(next)
  return {
    client: createClient({ baseUrl: next.url, token: next.tokens.operator, allowInsecureHttp: true }),
    failureOf(name) {
      // An operator is not a worker, and authorization is checked first.
      if (name.startsWith('Worker')) return 'authentication'
      return needExternalJobs.includes(name) ? 'unavailableFeature' : null
    },
    givenFor: async (name) => {
      const isAbsent = needExternalJobs.includes(name)
      const { id, body, headers } = isAbsent ? { ...exchanges[name], id: 'any' } : await calls.rightCall(name)
      return givenIn({ id, body, headers: headers ?? {} })
    },
    [Symbol.asyncDispose]: () => next[Symbol.asyncDispose](),
  }
}

export const peers: readonly (readonly [name: string, start: () => Promise<Peer>])[] = [
  ['the reference peer', referencePeer],
  ['the served edition', servedEdition],
]

function givenIn(call: {
  readonly id?: string | undefined
  readonly body?: unknown
  readonly headers: Readonly<Record<string, string>>
}): Given {
  const { id, body } = call
  const headers = new Headers(call.headers)
  const [ifMatch, ifNoneMatch] = [headers.get('if-match'), headers.get('if-none-match')]
  return {
    ...(id === undefined ? {} : { id }),
    ...(ifMatch === null ? {} : { ifMatch: ifMatch.slice(1, -1) }),
    ...(ifNoneMatch === null ? {} : { ifNoneMatch }),
    ...(body === undefined ? {} : { body }),
  }
}

export function methodName(name: v2.OperationName): keyof V2Methods {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}` as keyof V2Methods
}
