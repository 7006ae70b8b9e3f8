// api/status/serve-status.ts: status pages: below /status/ and at the hosts of the pages, where nothing else is served. Neither
// the Host check nor authentication comes first, and no answer depends on who asks, but for pages that need a token.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../platform/clock.ts'
import type { LivePage } from '../../status-pages/live-page.ts'
import { unknownBadge } from '../../status-pages/machine/badge.ts'
import type { PageContent } from '../../status-pages/page-content.ts'
import { type FileEncoding, fileEncodings, type ReadyFile } from '../../status-pages/ready-file.ts'
import type { StatusPages } from '../../status-pages/status-pages.ts'
import type { Log } from '../../telemetry/log.ts'
import { knownTag } from '../entity-tag.ts'
import { hasBody } from '../push/body-tail.ts'
import { UnreadAnswers } from '../unread-answers.ts'
import { WrongGuesses } from '../wrong-guesses.ts'
import { opens } from './page-token.ts'

export interface ServeStatusOptions {
  readonly pages: StatusPages
  readonly clock: Clock
  readonly log: Log
}

export const statusPath = '/status/'
const retryWhenStartingSeconds = 2
/** Longer than every key. */
const badgePath = /^\/badge\/([A-Za-z0-9_-]{1,128})\.(svg|json)$/
const nothing = 'There is nothing at this address.\n'

/** A page or a badge, and what of it is asked for. */
interface Target {
  readonly kind: 'page' | 'badge'
  /** Null if there is none of this name. */
  readonly page: LivePage | null
  /** Null: the address of the page without its final slash. */
  readonly path: string | null
}

export class StatusPaths {
  readonly #options: ServeStatusOptions
  readonly #unread = new UnreadAnswers()
  readonly #answers = new WeakMap<ReadyFile, Readonly<Record<FileEncoding, ReadyAnswer>>>()
  readonly #encodings = new AcceptedEncodings()
  readonly #guesses: WrongGuesses

  constructor(options: ServeStatusOptions) {
    this.#options = options
    this.#guesses = new WrongGuesses(options.clock)
  }

  /** False for an address that is not of a status page: it is still to be answered. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const target = this.#targetOf(request)
    if (target === null) return false
    this.#answer(request, response, target)
    return true
  }

  /** Null for an address that belongs to something else. */
  #targetOf({ url = '', headers }: IncomingMessage): Target | null {
    const { pages } = this.#options
    const end = url.indexOf('?')
    const path = end === -1 ? url : url.slice(0, end)
    const page = pages.hasHosts ? pages.atHost(nameOf(headers.host ?? '')) : null
    const [, key = '', ending = null] = badgePath.exec(path) ?? []
    if (ending !== null) return { kind: 'badge', page: pages.badge(key), path: ending }
    if (page !== null && path.startsWith('/')) return { kind: 'page', page, path: path.slice(1) }
    if (!path.startsWith(statusPath) || !pages.hasPages) return null
    const slash = path.indexOf('/', statusPath.length)
    const id = path.slice(statusPath.length, slash === -1 ? undefined : slash)
    return { kind: 'page', page: pages.find(id), path: slash === -1 ? null : path.slice(slash + 1) }
  }

  #answer(request: IncomingMessage, response: ServerResponse, { kind, page, path }: Target): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      if (hasBody(request)) response.setHeader('connection', 'close')
      response.setHeader('allow', 'GET, HEAD')
      return sendText(response, 405, 'Status pages can only be read.\n')
    }
    if (page === null && kind === 'badge') return sendUnknownBadge(response, path ?? '')
    if (page === null) return sendText(response, 404, nothing)
    const isPrivate = page.tokenDigests.length > 0
    if (isPrivate && !opens(page.tokenDigests, request.headers.authorization))
      return this.#refuse(request, response)
    if (path === null) return redirect(request, response)
    if (!this.#options.pages.isReady) {
      response.setHeader('retry-after', String(retryWhenStartingSeconds))
      return sendText(response, 503, 'The service is starting; ask again in a moment.\n')
    }
    const content = page.content()
    const file = content instanceof Promise ? content.then((made) => made.file(path)) : content.file(path)
    if (file instanceof Promise) this.#sendWhenMade(request, response, file, isPrivate)
    else this.#send(request, response, file, isPrivate)
  }

  #sendWhenMade(
    request: IncomingMessage,
    response: ServerResponse,
    made: Promise<ReturnType<PageContent['file']>>,
    isPrivate: boolean,
  ): void {
    made
      .then((file) => this.#send(request, response, file as ReadyFile | null, isPrivate))
      .catch((error: unknown) => {
        this.#options.log.error({ error }, 'a status page could not be made')
        if (response.headersSent) response.destroy()
        else sendText(response, 500, 'Something went wrong; the log of the service says what.\n')
      })
  }

  /** Whoever guesses waits for the refusal, longer with every guess; whoever has no token yet is asked at once. */
  #refuse(request: IncomingMessage, response: ServerResponse): void {
    const isGuess = request.headers.authorization !== undefined
    const delayMs = isGuess ? this.#guesses.delayMs(request.socket.remoteAddress ?? '') : 0
    const refuse = () => {
      response.setHeader('www-authenticate', 'Basic realm="status page", charset="UTF-8"')
      sendText(response, 401, 'This page needs a token: give it as the password, with any name.\n')
    }
    if (delayMs === 0) return refuse()
    const timer = setTimeout(refuse, delayMs)
    response.once('close', () => clearTimeout(timer))
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    file: ReadyFile | null,
    isPrivate: boolean,
  ): void {
    if (file === null) return sendText(response, 404, nothing)
    const encoding = this.#encodings.choose(request.headers['accept-encoding'])
    const { whole, unchanged, body } = this.#answersOf(file, isPrivate)[encoding]
    if (knownTag(request.headers['if-none-match'], file.tags.identity) !== null) {
      response.writeHead(304, unchanged)
      response.end()
      return
    }
    response.writeHead(200, whole)
    response.end(body, 'latin1')
    // Nearly always the kernel has taken it by now, and there is nobody to wait for.
    const { socket } = response
    if (socket === null || socket.writableLength > 0) this.#unread.watch(response, body.length)
  }

  #answersOf(file: ReadyFile, isPrivate: boolean): Readonly<Record<FileEncoding, ReadyAnswer>> {
    const known = this.#answers.get(file)
    if (known !== undefined) return known
    const made = Object.fromEntries(
      fileEncodings.map((encoding) => [encoding, answerOf(file, encoding, isPrivate)]),
    )
    this.#answers.set(file, made as Record<FileEncoding, ReadyAnswer>)
    return made as Record<FileEncoding, ReadyAnswer>
  }
}

interface ReadyAnswer {
  /** Names and values in turn, which cost less to write than an object. */
  readonly whole: string[]
  /** For a client that has the file already. */
  readonly unchanged: string[]
  /** A small one is text, which is written together with its headers: each write costs more than the bytes. */
  readonly body: string | Uint8Array
}

/** Text is copied for every answer, and bytes are not. */
const longestText = 16_384

function answerOf(file: ReadyFile, encoding: FileEncoding, isPrivate: boolean): ReadyAnswer {
  const { type, contentSecurityPolicy, bytes, tags, isOpen } = file
  const unchanged = [
    ...['etag', tags[encoding]],
    ...['cache-control', `${isPrivate ? 'private' : 'public'}, max-age=15, stale-while-revalidate=60`],
    ...['vary', isPrivate ? 'Accept-Encoding, Authorization' : 'Accept-Encoding'],
    ...['x-content-type-options', 'nosniff'],
    ...['referrer-policy', 'no-referrer'],
    ...['content-security-policy', contentSecurityPolicy ?? "default-src 'none'; frame-ancestors 'none'"],
    ...(isOpen && !isPrivate ? ['access-control-allow-origin', '*'] : []),
  ]
  const ofContent = [
    ...['content-type', type],
    ...['content-length', String(bytes[encoding].length)],
    ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
  ]
  const content = Buffer.from(bytes[encoding])
  const body = content.length <= longestText ? content.toString('latin1') : bytes[encoding]
  return { whole: [...ofContent, ...unchanged], unchanged, body }
}

/** A picture too: it stands where a badge was. */
function sendUnknownBadge(response: ServerResponse, ending: string): void {
  const { type, body } = unknownBadge(ending)!
  response.writeHead(404, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'access-control-allow-origin': '*',
  })
  response.end(body)
}

/** `/status/shop` is where people go, and links of the page are relative to `/status/shop/`. */
function redirect({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [path = ''] = url.split('?')
  response.setHeader('location', `${path.slice(path.lastIndexOf('/') + 1)}/`)
  sendText(response, 302, 'The page is at the same address with a final slash.\n')
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(text)
}

/** The host name in a Host header, without its port. */
function nameOf(host: string): string {
  const colon = host.lastIndexOf(':')
  return (colon === -1 ? host : host.slice(0, colon)).toLowerCase()
}

/** Browsers send few different headers, so each is read once. */
class AcceptedEncodings {
  readonly #chosen = new Map<string, FileEncoding>()
  readonly #mostKept = 256

  choose(header: string | string[] | undefined): FileEncoding {
    const accepted = String(header ?? '')
    const known = this.#chosen.get(accepted)
    if (known !== undefined) return known
    const chosen = smallestIn(accepted)
    if (this.#chosen.size < this.#mostKept) this.#chosen.set(accepted, chosen)
    return chosen
  }
}

function smallestIn(accepted: string): FileEncoding {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
        return [name, !parameters.some((text) => /^q=0(\.0*)?$/.test(text))] as const
      }),
  )
  const accepts = (name: string) => weights.get(name) ?? weights.get('*') ?? false
  return fileEncodings.find((encoding) => encoding === 'identity' || accepts(encoding)) ?? 'identity'
}
