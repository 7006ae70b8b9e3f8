// import/gatus/alerting.ts: alerts of Gatus: providers, which endpoint groups and single endpoints may
// override, and when each alert is sent.
import { carryDestination, type DestinationTable } from '../destination.ts'
import { asDuration, durationOf } from '../durations.ts'
import { Fields, isMapping } from '../fields.ts'
import type { FleetDraft } from '../fleet-draft.ts'
import { NotCarried } from '../fleet-draft.ts'
import { stated } from '../monitor-parts.ts'

const webhook =
  (type: string): DestinationTable[string] =>
  (from) => {
    from.refuse('title', 'message-content', 'channel', 'client')
    return { type, config: { webhook_url: from.secret('webhook-url', 'webhook url') } }
  }

const providers: DestinationTable = {
  slack(from) {
    from.refuse('title')
    return { type: 'slack', config: { hook: from.secret('webhook-url', 'webhook url') } }
  },
  discord: webhook('discord'),
  mattermost: webhook('mattermost'),
  googlechat: webhook('google_chat'),
  'teams-workflows': webhook('teams'),
  teams() {
    throw new NotCarried(
      '',
      'it is a connector of Office 365, which Microsoft has ended; set up a workflow instead',
    )
  },
  telegram(from) {
    from.refuse('client')
    const topic = from.fields.number('topic-id')
    const config = { bot_token: from.secret('token', 'bot token'), chat_id: from.chatId('id') }
    return {
      type: 'telegram',
      config: { ...config, ...stated({ message_thread_id: topic, api_url: from.maybeUrl('api-url') }) },
    }
  },
  pagerduty: (from) => ({
    type: 'pagerduty',
    config: { routing_key: from.secret('integration-key', 'integration key') },
  }),
  opsgenie(from) {
    from.refuse('priority', 'source', 'entity-prefix', 'alias-prefix', 'tags')
    return { type: 'opsgenie', config: { api_key: from.secret('api-key', 'api key') } }
  },
  pushover(from) {
    from.refuse('title', 'priority', 'resolved-priority', 'sound', 'ttl')
    const config = {
      token: from.secret('application-token', 'application token'),
      user: from.secret('user-key', 'user key'),
    }
    return {
      type: 'pushover',
      config: { ...config, ...stated({ device: from.maybeOpen('device', 'device') }) },
    }
  },
  twilio(from) {
    from.refuse('text-twilio-triggered', 'text-twilio-resolved')
    return {
      type: 'twilio',
      config: {
        account_sid: from.open('sid', 'account sid'),
        auth_token: from.secret('token', 'auth token'),
        from: from.open('from', 'from'),
        to: from.open('to', 'to'),
      },
    }
  },
  ntfy(from) {
    from.refuse('email', 'click', 'priority', 'disable-firebase', 'disable-cache')
    const more = stated({ token: from.maybeSecret('token', 'token'), api_url: from.maybeUrl('url') })
    return { type: 'ntfy', config: { topic: from.open('topic', 'topic'), ...more } }
  },
  gotify(from) {
    from.refuse('priority', 'title')
    return {
      type: 'gotify',
      config: { api_url: from.url('server-url'), token: from.secret('token', 'token') },
    }
  },
  matrix: (from) => ({
    type: 'matrix',
    config: {
      api_url: from.maybeUrl('server-url') ?? 'https://matrix-client.matrix.org',
      access_token: from.secret('access-token', 'access token'),
      room_id: from.open('internal-room-id', 'room'),
    },
  }),
  email(from) {
    from.refuse('client')
    const port = from.fields.number('port')
    const password = from.maybeSecret('password', 'password')
    const sender = from.addresses('from')[0]
    const username = from.maybeOpen('username', 'username') ?? (password === undefined ? undefined : sender)
    const security = port === 465 ? 'tls' : port === 25 ? 'none' : undefined
    const server = { host: from.open('host', 'host'), ...stated({ port, security, username, password }) }
    return { type: 'email', config: { to: from.addresses('to'), from: sender, server } }
  },
  datadog(from) {
    const tags = from.fields.texts('tags')
    const more = stated({ site: from.maybeOpen('site', 'site'), tags: tags.length === 0 ? undefined : tags })
    return { type: 'datadog', config: { api_key: from.secret('api-key', 'api key'), ...more } }
  },
  custom(from) {
    from.fields.refuse(
      'is not carried over: webhooks here are POST with a body of their own',
      'method',
      'body',
    )
    from.refuse('client', 'placeholders')
    return {
      type: 'webhook',
      config: { url: from.url('url'), ...from.headers(from.fields.textMap('headers')) },
    }
  },
}

export interface AlertPlan {
  readonly notify: object | undefined
  readonly failures?: number
  readonly successes?: number
}

export class GatusAlerting {
  readonly #draft: FleetDraft
  readonly #providers: Fields | null
  readonly #known = new Map<string, string | null>()

  constructor(draft: FleetDraft, whole: Fields) {
    this.#draft = draft
    this.#providers = whole.fields('alerting')
  }

  plan(endpoint: Fields, group: string): AlertPlan {
    const red = new Set<string>()
    const green = new Set<string>()
    const thresholds = { failures: new Set<number>(), successes: new Set<number>() }
    let repeatMs = Number.POSITIVE_INFINITY
    for (const alert of endpoint.items('alerts')) {
      const sent = this.#alert(alert, group)
      if (sent === null) continue
      red.add(sent.id)
      if (sent.isSentOnResolved) green.add(sent.id)
      thresholds.failures.add(sent.failures)
      thresholds.successes.add(sent.successes)
      if (sent.repeatMs > 0) repeatMs = Math.min(repeatMs, sent.repeatMs)
    }
    if (thresholds.failures.size > 1 || thresholds.successes.size > 1)
      endpoint.note('alerts', 'have different thresholds; the lowest holds for all of them')
    if (red.size === 0) return { notify: undefined }
    return {
      notify: stated({
        red: { endpoints: [...red] },
        green: green.size === 0 ? undefined : { endpoints: [...green] },
        repeat: Number.isFinite(repeatMs) ? asDuration(repeatMs) : undefined,
      }),
      failures: Math.min(...thresholds.failures),
      successes: Math.min(...thresholds.successes),
    }
  }

  /** Notes the rest of providers that no endpoint uses. */
  close(): void {
    for (const type of this.#providers?.keys ?? [])
      if (![...this.#known.keys()].some((key) => key.startsWith(`${type}\n`))) {
        const fields = this.#providerFields(type, '', {})
        if (fields !== null) carryDestination(this.#draft, providers, { name: type, type, fields })
      }
  }

  #alert(alert: Fields, group: string) {
    const type = alert.text('type') ?? ''
    const provider = this.#providers?.take(type)
    const usual = isMapping(provider) && isMapping(provider['default-alert']) ? provider['default-alert'] : {}
    const defaults = new Fields(usual, `alerting.${type}.default-alert`, this.#draft.notes)
    const number = (key: string, fallback: number) => alert.number(key) ?? defaults.number(key) ?? fallback
    const flag = (key: string) => alert.flag(key) ?? defaults.flag(key)
    const [failures, successes] = [number('failure-threshold', 3), number('success-threshold', 2)]
    const isSentOnResolved = flag('send-on-resolved') ?? false
    const repeatMs =
      durationOf(alert, 'minimum-reminder-interval') ?? durationOf(defaults, 'minimum-reminder-interval') ?? 0
    alert.refuse('is not carried over: messages have no text of their own', 'description')
    defaults.refuse('is not carried over: messages have no text of their own', 'description')
    const override = alert.take('provider-override')
    if (override !== undefined && !isMapping(override)) alert.note('provider-override', 'is not a mapping')
    const isOn = flag('enabled') ?? true
    defaults.close()
    if (!isOn) {
      alert.note('', 'is not carried over: it is switched off')
      return null
    }
    const id = this.#endpoint(type, group, isMapping(override) ? override : {})
    if (id === null) alert.note('type', `there is no destination for alerts of type "${type}"`)
    return id === null ? null : { id, failures, successes, isSentOnResolved, repeatMs }
  }

  #endpoint(type: string, group: string, override: Record<string, unknown>): string | null {
    const ofGroup = this.#overrideOf(type, group)
    const key = `${type}\n${ofGroup === null ? '' : group}\n${JSON.stringify(override)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const fields = this.#providerFields(type, group, override)
    const name = ofGroup === null ? type : `${type} ${group}`
    const id = fields === null ? null : carryDestination(this.#draft, providers, { name, type, fields })
    this.#known.set(key, id)
    return id
  }

  #overrideOf(type: string, group: string): Record<string, unknown> | null {
    const provider = this.#providers?.take(type)
    const overrides = isMapping(provider) && Array.isArray(provider['overrides']) ? provider['overrides'] : []
    const found: unknown = overrides.find((one) => isMapping(one) && one['group'] === group)
    return group !== '' && isMapping(found) ? found : null
  }

  #providerFields(type: string, group: string, override: Record<string, unknown>): Fields | null {
    const provider = this.#providers?.take(type)
    if (!isMapping(provider)) return null
    const merged = { ...provider, ...this.#overrideOf(type, group), ...override }
    const fields = new Fields(merged, `alerting.${type}`, this.#draft.notes)
    fields.pass('default-alert', 'overrides', 'group')
    return fields
  }
}
