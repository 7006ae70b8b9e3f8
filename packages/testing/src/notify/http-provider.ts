// notify/http-provider.ts: the peers of a notifier that sends one HTTP request: those that the contract
// requires, and the answers that only this provider gives. Other network failures are tested with the webhook
// notifier, which sends with the same code.
import { httpPeers } from '../outbound-contract/http-peers.ts'
import { type Encounter, type Encounters, expects } from '../outbound-contract/peers.ts'
import { answers, type Behaviour } from '../targets/http-target.ts'
import { readRequest } from '../targets/received-request.ts'
import { type NotifierPeers, requiredPeers } from './contract.ts'

/** Stores a secret and returns its reference as a fleet file writes it. */
type Credential = (value: string) => object

export interface ProviderAnswer {
  readonly kind: Encounter['kind']
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly retryAfterMs?: number
}

export interface HttpProvider {
  /** The configuration for a peer at a URL. */
  readonly config: (url: string, credential: Credential) => object
  /** Texts that must not be shown besides credentials, such as a token in the path of a webhook. */
  readonly secrets: readonly string[]
  /** The body of an acceptance; null if the status alone confirms it. */
  readonly confirmation: unknown
  readonly answers: Readonly<Record<string, ProviderAnswer>>
  readonly markup?: RegExp
}

export async function httpProviderPeers(provider: HttpProvider): Promise<NotifierPeers> {
  const credentials = new Map<string, string>()
  const credential: Credential = (value) => {
    const name = `secret-${credentials.size}`
    credentials.set(name, value)
    return { credential: name }
  }
  const config = (url: string): object => provider.config(url, credential)
  const peers = await httpPeers(
    {
      config,
      failingForNow: 'retry',
      endless: provider.confirmation === null ? 'accepted' : 'unknown',
      answer: textOf(provider.confirmation),
    },
    (target) => answersOf(provider, config, target),
    { credentials, secrets: provider.secrets },
  )
  const met = [...requiredPeers, ...Object.keys(provider.answers)]
  return {
    ...peers,
    encounters: Object.fromEntries(met.map((peer) => [peer, peers.encounters[peer]!])),
    lastShown: () => shownIn(readRequest(peers.accepting.requests.at(-1) ?? '').body),
    markup: provider.markup ?? null,
  }
}

async function answersOf(
  provider: HttpProvider,
  config: (url: string) => object,
  target: (behaviour: Behaviour) => Promise<string>,
): Promise<Encounters> {
  const encounters = Object.entries(provider.answers).map(async ([name, answer]) => {
    const { kind, status, body = '', headers = {}, retryAfterMs } = answer
    const url = await target(answers({ status, body: textOf(body), headers }))
    return [name, expects(kind, config(url), retryAfterMs === undefined ? {} : { retryAfterMs })] as const
  })
  return Object.fromEntries(await Promise.all(encounters))
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** Every text of a message in JSON or a form, one per line. */
function shownIn(body: string): string {
  if (!/^[[{]/.test(body)) return [...new URLSearchParams(body).values()].join('\n')
  const texts: string[] = []
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts.join('\n')
}
