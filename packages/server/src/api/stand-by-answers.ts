// api/stand-by-answers.ts: what a process answers while it stands by: that it lives, that it is not ready, and who is
// active. It reads no fleet data, so it asks for no login. A client takes every refusal for one: nothing was done here.
import type { RequestListener } from 'node:http'
import { v2 } from '@pulseward/contract'
import { timestamp } from '../platform/wire.ts'
import { ApiError } from '../requests/problem.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import type { StandingView } from '../store/standing.ts'
import { exposition, type Family, mediaTypes } from '../telemetry/exposition.ts'
import { Exchange } from './exchange.ts'
import { isNavigation } from './other-paths.ts'
import { isV2 } from './request-path.ts'
import { sendProblem } from './send-problem.ts'
import { UnreadAnswers } from './unread-answers.ts'

export interface StandbySource {
  /** Null until the store was looked at. */
  readonly view: () => StandingView | null
  readonly metrics: () => Promise<readonly Family[]>
  readonly wallMs: () => number
}

type Active = StandingView['active']

const askAgainAfterSeconds = 2

export function answerAsStandby(source: StandbySource): RequestListener {
  const unread = new UnreadAnswers()
  return (request, response) => {
    const exchange = new Exchange(request, response, unread)
    // A write is refused before it was sent whole; its client must still be able to read the answer.
    request.resume()
    void answer(exchange, source).catch(() => response.destroy())
  }
}

async function answer(exchange: Exchange, source: StandbySource): Promise<void> {
  const { method, path } = exchange
  const view = source.view()
  const isReading = method === 'GET' || method === 'HEAD'
  if (isReading && path === '/api/v1/healthz') return exchange.sendJson(200, JSON.stringify({ status: 'ok' }))
  if (isReading && path === v2.operations.GetLive.path) {
    const generatedAt = timestamp(source.wallMs())
    return exchange.sendJson(200, JSON.stringify({ available: true, generatedAt }))
  }
  if (isReading && path === '/metrics') return sendMetrics(exchange, source)
  exchange.setHeader('retry-after', String(askAgainAfterSeconds))
  if (isReading && path === '/api/v1/readyz') return exchange.sendJson(503, JSON.stringify(readiness(view)))
  const active = view?.active ?? null
  if (isReading && isNavigation(exchange)) return sendPage(exchange, active)
  const sentence = sentenceOf(active)
  sendProblem(
    exchange,
    isV2(path) ? new StandbyV2Problem(sentence, active) : new StandbyProblem(sentence, active),
  )
}

function readiness(view: StandingView | null): object {
  return {
    status: 'not_ready',
    reasons: [
      view === null ? 'admission_not_initialized' : 'standby',
      ...(view?.hasSameFiles === false ? ['files_differ'] : []),
      ...((view?.trouble ?? null) === null ? [] : ['storage_unavailable']),
    ],
    projection_fresh: false,
    admission_initialized: false,
    controller_progress_at: null,
    storage_available: view?.trouble === null,
    active: view?.active ?? null,
  }
}

async function sendMetrics(exchange: Exchange, { metrics }: StandbySource): Promise<void> {
  const isOpen = exchange.headers.accept?.includes('application/openmetrics-text') ?? false
  const format = isOpen ? 'openmetrics' : 'prometheus'
  exchange.setHeaders({ 'content-type': mediaTypes[format], vary: 'Accept' })
  exchange.send(200, exposition([...(await metrics())], format))
}

class StandbyProblem extends ApiError {
  readonly #active: Active
  constructor(detail: string, active: Active) {
    super('standby', detail, [], askAgainAfterSeconds)
    this.#active = active
  }

  override documentFor(requestId: string) {
    return { ...super.documentFor(requestId), active: this.#active }
  }
}

class StandbyV2Problem extends V2Problem {
  readonly #active: Active
  constructor(detail: string, active: Active) {
    super('standby', detail, { retryAfterSeconds: askAgainAfterSeconds })
    this.#active = active
  }

  /** Unknown members are left out in v2. */
  override documentFor(requestId: string) {
    return { ...super.documentFor(requestId), ...(this.#active === null ? {} : { active: this.#active }) }
  }
}

function sentenceOf(active: Active): string {
  return active === null
    ? 'This process stands by, and does not know yet which one is active; try again soon.'
    : `This process stands by; the active one is ${active.name}, at ${active.url}.`
}

function sendPage(exchange: Exchange, active: Active): void {
  exchange.setHeaders({ 'content-type': 'text/html; charset=utf-8' })
  const place =
    active === null
      ? 'Which one is active is not known yet.'
      : `The active one is ${escaped(active.name)}: <a href="${escaped(active.url)}">${escaped(active.url)}</a>.`
  exchange.send(
    503,
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pulseward stands by</title>
<h1>Pulseward stands by here</h1>
<p>This process takes over when the active one stops or fails. ${place}</p>
</html>
`,
  )
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
