// options.ts: what createWorker takes, checked before anything is opened or sent. Refuses what could give the token away:
// plain HTTP to another machine without the explicit flag, and addresses that carry credentials.
import type { CredentialsOption } from './credentials.ts'
import { type Handlers, type Lane, lanesFrom, refusal, wholeNumber } from './handlers.ts'
import type { LogOption } from './log.ts'

export interface WorkerOptions {
  /** The address of the service, with or without a path before `/api`. */
  readonly server: string | URL
  /** Of a principal with the role worker. A function is asked for every call, so that a token can be changed. */
  readonly token: string | (() => string)
  /** The path of the file that this worker, and no other, keeps its executions and results in. */
  readonly journal: string
  /** What it can do, by `job-type@version`. */
  readonly handlers: Handlers
  /** Jobs at once per handler, where the handler does not say; 16 unless given. */
  readonly concurrency?: number
  /** The name of this worker; the host's name and some digits, kept in the journal, unless given. */
  readonly workerID?: string
  /** Secrets by profile, or a folder with a file per profile. */
  readonly credentials?: CredentialsOption
  /** Results that may wait for the service before no more work is taken on; 10,000 unless given. */
  readonly outboxLimit?: number
  /** How long handlers may go on when the worker stops; 30 unless given. */
  readonly drainSeconds?: number
  /** Whether SIGTERM and SIGINT stop the worker; true unless given. */
  readonly signals?: boolean
  /** Answers /live, /ready and /metrics; on 127.0.0.1 unless a host is given. */
  readonly health?: { readonly port: number; readonly host?: string }
  /** Lets the token travel over plain HTTP to another machine. */
  readonly allowInsecureHttp?: boolean
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string | Buffer
  /** Takes log entries; JSON lines on stderr unless given. */
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
  // Node would repeat a bad header value in its own error.
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
