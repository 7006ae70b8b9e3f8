// client/connection.ts: how a command connects to its service. A token is sent over plain HTTP only to this
// machine, or if the user allowed it. The token of the first operator, which need not be named, is sent only
// to the service that issued it.
import { type Client, createClient, type Fetch, InvalidInputError } from '@pulseward/client'
import { type OperatorSearch, UsageError } from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'
import type { Terminal } from '../terminal.ts'
import { standardInput } from './files/source-files.ts'
import { durationMs, switchValue } from './flag-values.ts'
import { isThisMachine, searchLocalToken } from './local-token.ts'
import { checkedClient, type ForeignAnswer, foreignAnswer } from './recognize.ts'
import { certificateRefusal } from './refused-certificate.ts'
import { targetFlags, targetFrom } from './target.ts'
import { readClientToken } from './token-file.ts'
import { trustOnly } from './trust-only.ts'

export const connectionFlags: Readonly<Record<string, FlagSpec>> = {
  ...targetFlags,
  'request-timeout': {
    kind: 'value',
    valueName: 'DURATION',
    summary: 'Time that one request may take. Default 10s. (PULSEWARD_REQUEST_TIMEOUT)',
  },
  'allow-insecure-http': {
    kind: 'switch',
    summary: 'Send the token over plain HTTP also beyond this machine. (PULSEWARD_ALLOW_INSECURE_HTTP)',
  },
}

export interface LastFailure {
  /** The platform's error code, if the request could not be sent or the reply is not HTTP. */
  readonly code: string | null
  readonly foreign: ForeignAnswer | null
  /** Why the certificate of the service was refused, and what to do. */
  readonly certificate: string | null
}

const noFailure: LastFailure = { code: null, foreign: null, certificate: null }

export interface Connection {
  readonly client: Client
  /** As shown to the user; several addresses with commas. */
  readonly server: string
  /** The one of them that was asked last. */
  answeredBy(): string
  readonly token: string | null
  readonly isTokenFromStdin: boolean
  /** The result of looking for the first operator's token; null if a token was named. */
  readonly search: OperatorSearch | null
  /** Why the last request got no answer from the service. */
  lastFailure(): LastFailure
}

export async function openConnection(parsed: ParsedArguments, terminal: Terminal): Promise<Connection> {
  const { environment } = terminal
  const target = targetFrom(parsed, terminal)
  const named = await readClientToken(target.tokenFile, terminal)
  const local = named === null ? searchLocalToken(target) : null
  const server = local?.server ?? target.server
  const token = local?.search.kind === 'found' ? local.search.token : named
  const timeout = lastValue(parsed, 'request-timeout') ?? (environment['PULSEWARD_REQUEST_TIMEOUT'] || null)
  if (target.caFile !== null) trustOnly(target.caFile)
  const mayBeInsecure =
    switchValue(parsed, 'allow-insecure-http') || environment['PULSEWARD_ALLOW_INSECURE_HTTP'] === '1'
  const servers = server.split(',')
  let answeredBy = servers[0]!
  let lastFailure = noFailure
  const fetch: Fetch = async (url, init) => {
    lastFailure = noFailure
    answeredBy = servers.find((one) => url.startsWith(one)) ?? answeredBy
    const answer = await globalThis.fetch(url, init).catch(async (error: unknown) => {
      const code = codeOf(error)
      lastFailure = { ...noFailure, code, certificate: await certificateRefusal(code, url, target.caFile) }
      throw error
    })
    // Only for reads: for a write, only its own answer tells whether it happened.
    const foreign = init?.method === 'GET' ? foreignAnswer(answer) : null
    if (foreign === null) return answer
    lastFailure = { ...noFailure, foreign }
    await answer.body?.cancel().catch(() => {})
    throw new Error('the answer is not of a Pulseward server')
  }
  try {
    const client = createClient({
      fetch,
      baseUrl: servers,
      allowInsecureHttp: mayBeInsecure || servers.every(isThisMachine),
      ...(token === null ? {} : { token }),
      ...(timeout === null ? {} : { timeoutMs: durationMs(timeout, '--request-timeout') }),
    })
    return {
      client: checkedClient(client),
      server,
      answeredBy: () => answeredBy,
      token,
      isTokenFromStdin: target.tokenFile === standardInput,
      search: local?.search ?? null,
      lastFailure: () => lastFailure,
    }
  } catch (error) {
    if (error instanceof InvalidInputError) throw new UsageError(sentenceOf(error, server))
    throw error
  }
}

/** The platform gives this error a name but no code. */
export const notHttp = 'HTTPParserError'

function codeOf(error: unknown): string | null {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown; name?: unknown } }
  if (cause?.name === notHttp) return notHttp
  const known = cause?.code ?? code
  return typeof known === 'string' ? known : null
}

function sentenceOf({ message }: InvalidInputError, server: string): string {
  if (message.includes('needs https'))
    return `A token is not sent to ${server} over plain HTTP; use https, or --allow-insecure-http if the network is trusted.`
  if (message.includes('timeoutMs')) return '--request-timeout must be more than zero and at most 596h.'
  // The address may contain a password, so it is not repeated.
  return '--server must be an http or https URL without user, password, query and fragment.'
}
