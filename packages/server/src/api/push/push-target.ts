// api/push/push-target.ts: the address of a signal: ours, Uptime Kuma's and healthchecks'. Reads only the text;
// whether the key is known, and what is wrong with the rest, is told apart so that an unknown key learns nothing.
import { pushKeyDigest } from '../../config/push-key.ts'
import type { KeyDigest } from '../../platform/key-table.ts'
import type { SignalWords } from '../../pushing/reported-signal.ts'

export interface PushTarget {
  /** Of the key; null if the text cannot be one. */
  readonly digest: KeyDigest | null
  /** What it says, or the sentence about what is wrong with it. */
  readonly words: SignalWords | string
}

const ours = /^\/(?:push|ping)\/([^/?]*)(?:\/([^/?]*))?\/?(?:\?(.*))?$/s
const kumas = /^\/api\/push\/([^/?]*)\/?(?:\?(.*))?$/s
const runId = /^[A-Za-z0-9._-]{1,64}$/
const highestExitCode = 255

/** Null for any other address. */
export function pushTarget(url: string): PushTarget | null {
  const [, key, action = '', query = ''] = ours.exec(url) ?? []
  if (key !== undefined)
    return { digest: pushKeyDigest(key), words: ourWords(action, new URLSearchParams(query)) }
  const [, ofKuma, kumaQuery = ''] = kumas.exec(url) ?? []
  if (ofKuma !== undefined)
    return {
      digest: pushKeyDigest(ofKuma),
      words: kumaWords(new URLSearchParams(kumaQuery)),
    }
  return isPushPath(url) ? { digest: null, words: 'There is nothing at this path.' } : null
}

/** Whether nothing but signals is served below this path. */
export function isPushPath(url: string): boolean {
  return url.startsWith('/push/') || url.startsWith('/ping/') || url.startsWith('/api/push/')
}

function ourWords(action: string, query: URLSearchParams): SignalWords | string {
  const rid = query.get('rid') ?? ''
  if (query.has('rid') && !runId.test(rid))
    return 'The run id (rid) is not 1 to 64 letters, digits, ".", "_" and "-".'
  const common = { rid, message: query.get('msg') ?? '', tookMs: null }
  switch (action) {
    case '':
      return { ...common, kind: 'success', exitCode: null }
    case 'start':
    case 'fail':
    case 'log':
      return { ...common, kind: action, exitCode: null }
    default:
      return exitWords(action, common)
  }
}

function exitWords(
  action: string,
  common: Pick<SignalWords, 'rid' | 'message' | 'tookMs'>,
): SignalWords | string {
  if (!/^[0-9]{1,9}$/.test(action))
    return 'The address ends with neither start, fail, log nor an exit code; nothing was recorded.'
  const exitCode = Number(action)
  if (exitCode > highestExitCode)
    return `${exitCode} is not an exit code; write 0 to ${highestExitCode}. Nothing was recorded.`
  return { ...common, kind: exitCode === 0 ? 'success' : 'fail', exitCode }
}

/** Everything that is not up is down there. */
function kumaWords(query: URLSearchParams): SignalWords {
  const isUp = (query.get('status') ?? 'up') === 'up'
  const message = query.get('msg') ?? ''
  const pingMs = Number(query.get('ping') || Number.NaN)
  return {
    kind: isUp ? 'success' : 'fail',
    exitCode: null,
    rid: '',
    // What its clients send with every signal says nothing.
    message: isUp && message === 'OK' ? '' : message,
    tookMs: Number.isFinite(pingMs) && pingMs >= 0 ? pingMs : null,
  }
}
