// options.ts: the options of createWorker, checked before anything is opened or sent. Refuses what could reveal the
// token: plain HTTP to another machine without the explicit flag, and addresses that contain credentials.
import type { CredentialsOption } from './credentials.ts'
import { type Handlers, type Lane, lanesFrom, refusal, wholeNumber } from './handlers.ts'
import type { LogOption } from './log.ts'

export interface WorkerOptions {
  /** The address of the service, with or without a path before `/api`. */
  readonly server: string | URL
  /**
   * The token of a principal with the role worker. A function is called for every request, so that the token can change.
   */
  readonly token: string | (() => string)
  /** The path of the journal, the file that keeps executions and results. Each worker needs its own. */
  readonly journal: string
  /** The handlers, by `job-type@version`. */
  readonly handlers: Handlers
  /** Concurrent jobs per handler that does not set its own; defaults to 16. */
  readonly concurrency?: number
  /** The name of this worker; defaults to the host name and some digits, kept in the journal. */
  readonly workerID?: string
  /** Secrets by profile, or a folder with one file per profile. */
  readonly credentials?: CredentialsOption
  /** How many results may wait for the service before the worker takes no more jobs; defaults to 10,000. */
  readonly outboxLimit?: number
  /** How long handlers may continue when the worker stops; defaults to 30. */
  readonly drainSeconds?: number
  /** Whether SIGTERM and SIGINT stop the worker; defaults to true. */
  readonly signals?: boolean
  /** Where to serve /live, /ready and /metrics; the host defaults to 127.0.0.1. */
  readonly health?: { readonly port: number; readonly host?: string }
  /** Allows sending the token over plain HTTP to another machine. */
  readonly allowInsecureHttp?: boolean
  /** Certificates to trust instead of the default ones, as PEM. */
  readonly ca?: string | Buffer
  /** Takes log entries; defaults to JSON lines on stderr. */
  readonly log?: LogOption
}

export interface Settings {
  readonly baseUrl: URL
  readonly token: () => string
  readonly lanes: readonly Lane[]
  readonly workerID: string | undefined
  readonly outboxLimit: number
  readonly drainMs: number
}

const second = 1_000
const daySeconds = 86_400

export function settingsFrom(options: WorkerOptions): Settings {
  const { workerID, journal } = options
  if (typeof journal !== 'string' || journal === '' || journal.startsWith(':')) {
    throw refusal('journal must be the path of a file')
  }
  if (workerID !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(workerID)) {
    throw refusal(
      'workerID must be at most 128 letters, digits and . _ : -, of which the first is a letter or a digit',
    )
  }
  return {
    baseUrl: urlFrom(options),
    token: tokenFrom(options.token),
    lanes: lanesFrom(options.handlers, wholeNumber('concurrency', options.concurrency ?? 16, 1, 10_000)),
    workerID,
    outboxLimit: wholeNumber('outboxLimit', options.outboxLimit ?? 10_000, 1, 1_000_000),
    drainMs: wholeNumber('drainSeconds', options.drainSeconds ?? 30, 0, daySeconds) * second,
  }
}

function tokenFrom(given: WorkerOptions['token']): () => string {
  // Checked here because Node would repeat a bad header value in its own error.
  const visible = (token: unknown) => {
    if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
    throw refusal('the token must be visible ASCII without spaces')
  }
  if (typeof given === 'function') return () => visible(given())
  const token = visible(given)
  return () => token
}

function urlFrom({ server, allowInsecureHttp }: WorkerOptions): URL {
  const url = URL.canParse(String(server)) ? new URL(server) : null
  if (url === null || !/^https?:$/.test(url.protocol)) throw refusal('server must be an http or https URL')
  if (url.username !== '' || url.password !== '') throw refusal('server must not contain credentials')
  if (url.search !== '' || url.hash !== '') throw refusal('server must not contain a query or a fragment')
  const staysHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'https:' || staysHere || allowInsecureHttp === true) return url
  throw refusal('the token needs https; allowInsecureHttp permits plain HTTP')
}
