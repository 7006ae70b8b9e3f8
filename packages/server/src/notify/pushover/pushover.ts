// notify/pushover/pushover.ts: sends a Pushover message. If the configuration asks for it, red is an emergency, which
// rings again and again until a user acknowledges it; green then cancels it as well as announcing the recovery.
// Messages are plain text.
import { type ActionOutcome, accepted, gone, rejected } from '../../platform/action-outcome.ts'
import { parseDuration } from '../../platform/duration.ts'
import {
  type OutboundAnswer,
  type OutboundRequest,
  shownOrigin,
} from '../../platform/network/outbound-http.ts'
import { closed, type Infer, Period } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { alertKey } from '../driver/alert.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { classifyConfirmed, classifyStatusWaiting, defineHttpNotifier, formPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { cut } from '../driver/text.ts'
import { under } from '../driver/url.ts'
import { factLines, headline } from '../driver/wording.ts'
import type { Color, Notification } from '../driver.ts'

const limits = { title: 250, message: 1_024 }
const URL_LIMIT = 512
const TAG_LIMIT = 255
const PUBLIC_API = 'https://api.pushover.net'

/** The wait that Pushover asks for after one of its own failures. */
const FAILED_MS = 5_000

const SHORTEST_RETRY_MS = 30_000
const LONGEST_EXPIRE_MS = 3 * 60 * 60_000

const priorities: Readonly<Record<Color, number>> = { red: 1, yellow: 0, green: 0, cyan: -1, gray: -1 }

const Retry = Type.Refine(
  Type.Unsafe<string>({ ...Period, description: 'How often it rings; at least 30s.' }),
  (value) => durationMs(value) >= SHORTEST_RETRY_MS,
  () => 'must be at least 30s',
)

const Expire = Type.Refine(
  Type.Unsafe<string>({ ...Period, description: 'When it gives up ringing; at most 3h.' }),
  (value) => durationMs(value) <= LONGEST_EXPIRE_MS,
  () => 'must be at most 3h',
)

const config = closed({
  token: secret('The token of the application.'),
  user: secret('The key of the user or the group.'),
  device: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_,-]{1,255}$', description: 'A device of the user, or several.' }),
  ),
  emergency: Type.Optional(
    closed(
      { retry: Retry, expire: Expire },
      {
        description:
          'Makes red an emergency (priority 2), which rings until a user acknowledges it or green is sent.',
      },
    ),
  ),
  api_url: Type.Optional(apiUrl('Where the API is; for a proxy.', PUBLIC_API)),
})

type Config = Infer<typeof config>

/** Expects text that the schema has accepted. */
function durationMs(text: string): number {
  return parseDuration(text) ?? 0
}

export const pushover = defineHttpNotifier({
  summary: 'Sends a Pushover message.',
  needs: 'An application of your Pushover account and its token, and the key of a user or a group.',
  config,
  rate: { maxInFlight: 2, perSecond: null },
  limits: { unit: 'code points', longest: limits },
  target: ({ api_url = PUBLIC_API }) => shownOrigin(api_url),
  buildRequest,
  classifyResponse,
  async converse(config, notification, send) {
    const { outcome } = await send(buildRequest(config, notification))
    // A message that will be sent again cancels the emergency then.
    if (!endsEmergency(config, notification) || outcome.kind === 'retry') return outcome
    const cancelled = await send(cancelRequest(config, notification))
    if (outcome.kind !== 'accepted' || cancelled.outcome.kind === 'accepted') return outcome
    return accepted('the emergency may go on ringing: it could not be cancelled')
  },
})

function buildRequest(config: Config, notification: Notification): OutboundRequest {
  const { token, user, device, api_url = PUBLIC_API } = config
  const { atMs, link } = notification
  return formPost(under(api_url, '1', 'messages.json'), {
    token,
    user,
    ...(device === undefined ? {} : { device }),
    title: cut(headline(notification), limits.title),
    message: cut(factLines({ ...notification, link: null }).join('\n'), limits.message),
    // A truncated link would lead elsewhere.
    ...(link === null || link.length > URL_LIMIT ? {} : { url: link, url_title: 'Open in Pulseward' }),
    timestamp: String(Math.floor(atMs / 1_000)),
    ...urgency(config, notification),
  })
}

function urgency({ emergency }: Config, notification: Notification): Record<string, string> {
  const { color } = notification
  if (color !== 'red' || emergency === undefined) return { priority: String(priorities[color]) }
  return {
    priority: '2',
    retry: String(Math.ceil(durationMs(emergency.retry) / 1_000)),
    expire: String(Math.floor(durationMs(emergency.expire) / 1_000)),
    tags: alertKey(notification, TAG_LIMIT),
  }
}

function endsEmergency({ emergency }: Config, { color }: Notification): boolean {
  return emergency !== undefined && color === 'green'
}

function cancelRequest({ token, api_url = PUBLIC_API }: Config, notification: Notification): OutboundRequest {
  const tag = alertKey(notification, TAG_LIMIT)
  return formPost(under(api_url, '1', 'receipts', 'cancel_by_tag', `${tag}.json`), { token })
}

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  const { status } = answer
  const body = jsonObject(answer.body)
  if (status === 400 && (body?.['user'] === 'invalid' || body?.['token'] === 'invalid')) {
    return gone('Pushover answered 400: it does not know the user or the application')
  }
  // 429 included: the monthly quota is used up, and Pushover blocks senders who keep trying.
  if (status >= 400 && status <= 499) return rejected(`Pushover answered ${status}`)
  if (status >= 500) return classifyStatusWaiting(answer, FAILED_MS)
  return classifyConfirmed(answer, body?.['status'] === 1, 'Pushover')
}
