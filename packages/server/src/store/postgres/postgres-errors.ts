// store/postgres/postgres-errors.ts: translates errors of PostgreSQL and of the way to it to problems of the store, in one
// sentence that says what to do. Server messages may quote data, so only the code of an unexpected one is shown.
import { StoreError, type StoreProblem } from '../store.ts'

/** Class 22, 23 or 42 is a mistake of ours, unless it is listed here. */
const sentences: Readonly<Record<string, readonly [StoreProblem, string]>> = {
  '28P01': [
    'io',
    'PostgreSQL refuses the password; correct it in the URL, in the password file or in PGPASSFILE.',
  ],
  '28000': ['io', 'PostgreSQL refuses the login; check the user, and the rules in pg_hba.conf.'],
  '3D000': ['io', 'The database does not exist on this server; create it, or correct the name in the URL.'],
  '25006': ['io', 'The database is read-only; connect to the primary, or end its read-only mode.'],
  '42501': [
    'io',
    'The role may not use the tables of the store; grant it what pulseward store init --print lists.',
  ],
  '42P01': ['gone', 'The tables of the store are gone; restore them from a dump, then restart.'],
  '42883': ['gone', 'The functions of the store are gone; run pulseward store init, then restart.'],
  '3F000': ['gone', 'The schema of the store is gone; restore it from a dump, then restart.'],
  '53100': ['full', 'The disk of PostgreSQL is full; free some space there.'],
  '53300': ['io', 'PostgreSQL has no connection left; raise max_connections, or close others.'],
  '55P03': ['io', 'A row of the store is locked by another session; end that session.'],
  '57014': [
    'io',
    'PostgreSQL cancelled the statement because it took too long; look for what slows it down.',
  ],
  '57P01': ['io', 'PostgreSQL was stopped or restarted, or ended the connection.'],
  '57P02': ['io', 'PostgreSQL is restarting after a crash.'],
  '57P03': ['io', 'PostgreSQL is starting or stopping.'],
  '57P04': ['io', 'The database was dropped; restore it from a dump, then restart.'],
  XX001: ['corrupt', 'PostgreSQL found a damaged table of the store; restore a dump.'],
  XX002: ['corrupt', 'PostgreSQL found a damaged index of the store; run REINDEX, then restart.'],
}

/** What passes without anybody changing the settings: the server is restarted, or has no room for us. */
const away = ['53100', '53300', '55P03', '57014', '57P01', '57P02', '57P03']

const ourMistakes = ['22', '23', '42', '0A', '2F', 'P0']
const libraryIsMissing =
  'The library for PostgreSQL is not installed; install Pulseward with its optional dependencies (npm install --include=optional).'
const tlsCodes = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_)/

const tls: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The certificate of PostgreSQL has expired; renew it.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of PostgreSQL is for another host name; connect by a name that it has.',
}

/** The server answered that it rolled back: nothing of the statement was written. */
export function isServersAnswer(error: unknown): boolean {
  const { severity } = original(error)
  return typeof severity === 'string' && severity !== 'FATAL' && severity !== 'PANIC'
}

/** The code that PostgreSQL gave the error; null for any other error. */
export function sqlStateOf(error: unknown): string | null {
  const { code } = original(error)
  return isSqlState(code) ? code : null
}

/** Any error that is a mistake of ours is returned unchanged. */
export function postgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') {
    const [sentence, isAway] = lostSentence(error.message)
    return postgresTrouble('io', sentence, error, isAway)
  }
  const known = sentences[code]
  if (known !== undefined)
    return postgresTrouble(known[0], `${known[1]} (${code})`, error, away.includes(code))
  if (code === 'ERR_MODULE_NOT_FOUND') return postgresTrouble('io', libraryIsMissing, error)
  if (tlsCodes.test(code)) {
    const sentence =
      tls[code] ?? 'The certificate of PostgreSQL cannot be trusted; pass its authority as sslrootcert.'
    return postgresTrouble('io', `${sentence} (${code})`, error)
  }
  if (isSqlState(code) && ourMistakes.includes(code.slice(0, 2))) return error
  if (isSqlState(code)) return postgresTrouble('io', `PostgreSQL cannot do its work. (${code})`, error)
  return postgresTrouble('io', `PostgreSQL cannot be reached; see whether it runs. (${code})`, error, true)
}

/** A sentence whose beginning, up to its advice, everybody may read. */
export function postgresTrouble(
  problem: StoreProblem,
  sentence: string,
  cause?: unknown,
  isAway = false,
): StoreError {
  const whatHappened = /^[^;.]*/.exec(sentence)![0]
  const told = whatHappened.replace(/^(The|A|There) /, (word) => word.toLowerCase())
  return new StoreError(problem, sentence, { cause, told, isAway })
}

function original(error: unknown): { readonly code?: unknown; readonly severity?: unknown } {
  return (error instanceof StoreError ? error.cause : error) ?? {}
}

function isSqlState(code: unknown): code is string {
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
}

/** The library's own errors have no code. */
function lostSentence(message: string): [sentence: string, isAway: boolean] {
  if (/timeout/i.test(message))
    return ['PostgreSQL does not answer; see whether it runs and is reachable.', true]
  if (/does not support SSL/.test(message))
    return [
      'PostgreSQL does not offer TLS; turn it on there, or add ?sslmode=disable to the URL on a network that you trust.',
      false,
    ]
  if (/password/i.test(message))
    return ['PostgreSQL asks for a password; put it into the URL, the password file or PGPASSFILE.', false]
  if (/terminated|not queryable|ended/i.test(message)) return ['The connection to PostgreSQL was lost.', true]
  return ['PostgreSQL cannot be used; its answer is not understood.', false]
}
