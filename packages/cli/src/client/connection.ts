// client/connection.ts: which service a command talks to, and how. Flags beat PULSEWARD_* variables beat defaults. A
// token travels over plain HTTP only to this machine itself, or where a person said so.
import { readFileSync } from 'node:fs'
import { setDefaultCACertificates } from 'node:tls'
import { type Client, createClient, type Fetch, InvalidInputError } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'
import type { Terminal } from '../terminal.ts'
import { durationMs, switchValue } from './flag-values.ts'
import { checkedClient, type ForeignAnswer, foreignAnswer } from './recognize.ts'
import { readClientToken } from './token-file.ts'

const defaultServer = 'http://127.0.0.1:8060'

export const connectionFlags: Readonly<Record<string, FlagSpec>> = {
  server: {
    kind: 'value',
    valueName: 'URL',
    summary: `The service. Default ${defaultServer}. (PULSEWARD_SERVER)`,
  },
  'token-file': {
    kind: 'value',
    valueName: 'FILE',
    summary: 'File with the token; must not be readable by all users. (PULSEWARD_TOKEN_FILE)',
  },
  'request-timeout': {
    kind: 'value',
    valueName: 'DURATION',
    summary: 'Time that one request may take. Default 10s. (PULSEWARD_REQUEST_TIMEOUT)',
  },
  'ca-file': {
    kind: 'value',
    valueName: 'FILE',
    summary: 'PEM file with the authorities to trust instead of the usual ones. (PULSEWARD_CA_FILE)',
  },
  'allow-insecure-http': {
    kind: 'switch',
    summary: 'Send the token over plain HTTP also beyond this machine. (PULSEWARD_ALLOW_INSECURE_HTTP)',
  },
}

export interface LastFailure {
  /** Of the platform, when it could not be sent or what came back is not HTTP. */
  readonly code: string | null
  readonly foreign: ForeignAnswer | null
}

const noFailure: LastFailure = { code: null, foreign: null }

export interface Connection {
  readonly client: Client
  /** As shown to people. */
  readonly server: string
  readonly token: string | null
  /** Why the last request brought no answer of the service. */
  lastFailure(): LastFailure
}

export function openConnection(parsed: ParsedArguments, { environment }: Terminal): Connection {
  const chosen = (flag: string, variable: string) =>
    lastValue(parsed, flag) ?? (environment[variable] || null)
  const server = chosen('server', 'PULSEWARD_SERVER') ?? defaultServer
  const token = readClientToken(chosen('token-file', 'PULSEWARD_TOKEN_FILE'), environment)
  const timeout = chosen('request-timeout', 'PULSEWARD_REQUEST_TIMEOUT')
  const authorities = chosen('ca-file', 'PULSEWARD_CA_FILE')
  if (authorities !== null) trustOnly(authorities)
  const mayBeInsecure =
    switchValue(parsed, 'allow-insecure-http') || environment['PULSEWARD_ALLOW_INSECURE_HTTP'] === '1'
  let lastFailure = noFailure
  const fetch: Fetch = async (url, init) => {
    lastFailure = noFailure
    const answer = await globalThis.fetch(url, init).catch((error: unknown) => {
      lastFailure = { code: codeOf(error), foreign: null }
      throw error
    })
    // Of a write only its own answer tells what became of it.
    const foreign = init?.method === 'GET' ? foreignAnswer(answer) : null
    if (foreign === null) return answer
    lastFailure = { code: null, foreign }
    await answer.body?.cancel().catch(() => {})
    throw new Error('the answer is not of a Pulseward server')
  }
  try {
    const client = createClient({
      fetch,
      baseUrl: server,
      allowInsecureHttp: mayBeInsecure || isThisMachine(server),
      ...(token === null ? {} : { token }),
      ...(timeout === null ? {} : { timeoutMs: durationMs(timeout, '--request-timeout') }),
    })
    return { client: checkedClient(client), server, token, lastFailure: () => lastFailure }
  } catch (error) {
    if (error instanceof InvalidInputError) throw new UsageError(sentenceOf(error, server))
    throw error
  }
}

/** The platform has a name for it and no code. */
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
  if (message.includes('timeoutMs')) return '--request-timeout must be more than nothing and at most 596h.'
  // The address may hold a password, so it is not repeated.
  return '--server must be an http or https URL without user, password, query and fragment.'
}

function isThisMachine(server: string): boolean {
  const host = URL.canParse(server) ? new URL(server).hostname : ''
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

function trustOnly(file: string): void {
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
