// client/error-sentence.ts: describes a failure between this command and the service in one sentence that
// says what to do, and gives its exit code. A write with an unknown outcome is never called a failure.
import type { FailureReason, PulsewardError } from '@pulseward/client'
import { problems, v2 } from '@pulseward/contract'
import type { OperatorSearch } from '@pulseward/server'
import { type LastFailure, notHttp } from './connection.ts'
import { fieldOf, pathIn } from './files/mistake.ts'
import { isThisMachine } from './local-token.ts'
import type { ForeignAnswer } from './recognize.ts'

export interface Situation {
  readonly error: PulsewardError
  readonly server: string
  readonly hasToken: boolean
  /** The result of looking for the first operator's token; null if a token was named. */
  readonly search: OperatorSearch | null
  readonly lastFailure: LastFailure
  /** The command that shows whether a write has happened. */
  readonly lookAgain?: string | undefined
}

const checkAddress = 'check the address and the port of --server'

const titles: Readonly<Record<string, { readonly title: string }>> = { ...problems, ...v2.problems }

/** 1 if the answer is "there is none", 3 if there is no answer or it was refused. */
export function exitCodeOf({ category, code }: PulsewardError): number {
  return category === 'notFound' && code !== '' && code !== 'not_found' ? 1 : 3
}

export function errorSentence(situation: Situation): string {
  const { error, server, lastFailure, lookAgain } = situation
  const foreign = foreignTo(error, lastFailure)
  if (foreign !== null) return foreignSentence(server, foreign)
  switch (error.category) {
    case 'unavailableFeature':
      return error.code === v2.notServedCode
        ? `${server} does not offer this: it serves no v2; start it with --edition next.`
        : `${server} does not offer this: it is run without this feature.`
    case 'authentication':
      return authenticationSentence(situation)
    case 'ambiguousMutation':
      return ambiguitySentence(error, server, lookAgain)
    case 'cancelled':
      return 'Stopped before there was an answer.'
    case 'transport':
      if (error.reason === 'connectionFailed') return `${server} could not be reached${why(situation)}.`
      if (lastFailure.code === notHttp)
        return `${server} is not a Pulseward server: what it sends is not HTTP; ${checkAddress}.`
      if (lastFailure.code === 'ERR_SSL_WRONG_VERSION_NUMBER')
        return `${server} does not speak TLS; write http:// in --server if that is meant.`
      return `${server} ${transportWords[error.reason ?? 'connectionLost']}.`
    case 'oversizedResponse':
      return `The answer of ${server} is larger than 64 MiB; ask for less.`
    case 'notFound':
      // The edition lacks the route, as opposed to a missing resource.
      if (error.code === 'not_found') return `${server} does not offer this: its edition does not keep it.`
      return `${said(error, 'There is no such thing')}${trace(error)}.`
    case 'unavailable':
      return `${server} cannot answer now: ${lowerFirst(said(error, 'it has too much to do'))}${again(error)}.`
    default:
      return `${server} refused this: ${lowerFirst(said(error, 'it is not valid'))}${trace(error)}.`
  }
}

/** Refusals of the service have a code; an answer without one comes from another program. */
function foreignTo(error: PulsewardError, { foreign }: LastFailure): ForeignAnswer | null {
  if (error.category === 'transport') return foreign
  const isRefusal = error.statusCode >= 400 && error.category !== 'ambiguousMutation'
  return isRefusal && error.code === '' ? { status: error.statusCode, contentType: '' } : null
}

/** Statuses that a proxy sends for itself, or while the service behind it is unreachable. */
const statusesOfProxies = [401, 403, 407, 502, 503, 504]

function foreignSentence(server: string, { status, contentType }: ForeignAnswer): string {
  const orProxy = statusesOfProxies.includes(status) ? ', or a proxy answers in its place' : ''
  const what = contentType === '' ? '' : ` and ${contentType}`
  return `${server} is not a Pulseward server${orProxy}: it answered with status ${status}${what}; ${checkAddress}.`
}

const transportWords: Readonly<Record<FailureReason, string>> = {
  cancelled: 'was not waited for',
  timeout: 'did not answer in time; --request-timeout gives it longer',
  connectionFailed: 'could not be reached',
  connectionLost:
    'closed the connection without an answer; if it does so again, it is not a Pulseward server',
  answerCut: 'sent an answer that broke off',
  malformedAnswer: `is not a Pulseward server, or one of another version: its answer is not of this API; ${checkAddress}`,
  oversizedAnswer: 'sent too large an answer',
  redirect: 'redirects elsewhere, which is not followed; give the address itself with --server',
}

function why({ server, search, lastFailure: { code: failure, certificate } }: Situation): string {
  if (certificate !== null) return `: ${certificate}`
  if (failure === 'ECONNREFUSED') return `: nothing listens there; ${whatToDo(server, search)}`
  if (failure === 'ENOTFOUND' || failure === 'EAI_AGAIN') return ': its name is not known'
  return failure === null ? '' : ` (${failure})`
}

function whatToDo(server: string, search: OperatorSearch | null): string {
  if (search?.kind === 'none' && search.listensAt !== null)
    return `the service of the data directory is at ${search.listensAt}, so pass --server ${search.listensAt}`
  return isThisMachine(server)
    ? 'start it with `pulseward serve`, or name another with --server'
    : checkAddress
}

function authenticationSentence({ error, server, hasToken, search }: Situation): string {
  if (error.statusCode === 403)
    return `${server} does not allow this: ${lowerFirst(said(error, 'this principal may not do it'))}.`
  if (search?.kind === 'found')
    return `${server} does not accept the token of ${search.file}; pass another with --token-file.`
  if (hasToken)
    return `${server} does not accept this token: it may be of another service, revoked or expired; pass another with --token-file.`
  if (search?.kind === 'refused')
    return `${server} needs a token, and the one of its data directory is not used: ${lowerFirst(search.why)}`
  const orHere = isThisMachine(server) ? ', or name its data directory with --data' : ''
  return `${server} needs a token; pass --token-file or set PULSEWARD_TOKEN_FILE${orHere}.`
}

function ambiguitySentence(error: PulsewardError, server: string, lookAgain: string | undefined): string {
  const how = error.reason === null ? `was answered with ${error.statusCode}` : ambiguousWords(error.reason)
  const look = error.operationId === '' ? lookAgain : `pulseward get operation ${error.operationId}`
  const what =
    look === undefined ? 'Look before you send it again' : `Look with \`${look}\` before you send it again`
  return `The change was sent to ${server} once and ${how}, so it may have happened or not. ${what}.`
}

function ambiguousWords(reason: FailureReason): string {
  if (reason === 'timeout') return 'got no answer in time'
  return reason === 'cancelled' ? 'was not waited for' : 'its answer was lost'
}

/** A pointer into what was sent, as people write the path; a parameter stays as it is. */
function placeOf(field: string): string {
  if (field === '') return ''
  return `${field.startsWith('/') ? fieldOf(pathIn(null, field)) : field}: `
}

/** What the service said about a request it refused. */
export function saidBy(error: PulsewardError): string {
  return said(error, 'it is not valid')
}

/** The service's own words if there are any, otherwise the title of the code. */
function said({ problem, code }: PulsewardError, otherwise: string): string {
  const fields = problem?.errors ?? []
  if (fields.length > 0) return fields.map(({ field, message }) => `${placeOf(field)}${message}`).join('; ')
  const words =
    problem?.detail ?? problem?.title ?? (Object.hasOwn(titles, code) ? titles[code]!.title : otherwise)
  return words.replace(/[.\s]+$/, '')
}

function trace({ requestId }: PulsewardError): string {
  return requestId === '' ? '' : ` (request ${requestId})`
}

function again({ retryAfter }: PulsewardError): string {
  return retryAfter === null ? '' : `; try again in ${retryAfter} s`
}

function lowerFirst(words: string): string {
  // Codes and field names keep their case; a sentence does not.
  return /^[A-Z][a-z]+ /.test(words) ? words[0]!.toLowerCase() + words.slice(1) : words
}
