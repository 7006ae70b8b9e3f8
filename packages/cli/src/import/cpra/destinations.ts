// import/cpra/destinations.ts: whom CPRa notifies: endpoints and groups by name, and codes of monitors that
// name a group or have an inline notifier.
import { carryDestination, type DestinationTable, mailServer } from '../destination.ts'
import { Fields, isMapping, noCounterpart } from '../fields.ts'
import type { FleetDraft } from '../fleet-draft.ts'
import { stated } from '../monitor-parts.ts'

const colors = ['red', 'yellow', 'green', 'cyan', 'gray']

const notifiers: DestinationTable = {
  log(from) {
    from.fields.refuse('is not carried over: the log of the service takes the messages', 'file')
    return { type: 'log', config: {} }
  },
  slack: (from) => ({ type: 'slack', config: { hook: from.secret('hook', 'hook') } }),
  discord: (from) => ({
    type: 'discord',
    config: { webhook_url: from.secret('webhook_url', 'webhook url') },
  }),
  teams: (from) => ({ type: 'teams', config: { webhook_url: from.secret('webhook_url', 'webhook url') } }),
  mattermost(from) {
    from.refuse('channel', 'username')
    return { type: 'mattermost', config: { webhook_url: from.secret('webhook_url', 'webhook url') } }
  },
  pagerduty(from) {
    from.refuse('url')
    return { type: 'pagerduty', config: { routing_key: from.secret('routing_key', 'routing key') } }
  },
  opsgenie(from) {
    from.refuse('url')
    return { type: 'opsgenie', config: { api_key: from.secret('api_key', 'api key') } }
  },
  telegram(from) {
    from.refuse('url', 'test_mode')
    return {
      type: 'telegram',
      config: { bot_token: from.secret('bot_token', 'bot token'), chat_id: from.chatId('chat_id') },
    }
  },
  pushover(from) {
    const [priority, retry, expire] = ['priority', 'retry', 'expire'].map((key) => from.fields.number(key))
    from.refuse('title', 'sound')
    if (priority !== undefined && priority !== 2) from.fields.note('priority', noCounterpart)
    const isEmergency = priority === 2 && retry !== undefined && expire !== undefined
    return {
      type: 'pushover',
      config: {
        token: from.secret('app_token', 'app token'),
        user: from.secret('user_key', 'user key'),
        ...(isEmergency ? { emergency: { retry: `${retry}s`, expire: `${expire}s` } } : {}),
      },
    }
  },
  twilio: (from) => ({
    type: 'twilio',
    config: {
      account_sid: from.open('account_sid', 'account sid'),
      auth_token: from.secret('auth_token', 'auth token'),
      from: from.open('from', 'from'),
      to: from.open('to', 'to'),
    },
  }),
  datadog(from) {
    from.fields.refuse('is not needed here', 'app_key')
    const tags = from.fields.texts('tags')
    return {
      type: 'datadog',
      config: {
        api_key: from.secret('api_key', 'api key'),
        ...stated({ site: from.maybeOpen('site', 'site'), tags: tags.length === 0 ? undefined : tags }),
      },
    }
  },
  victorops(from) {
    from.refuse('message_type', 'entity_id')
    return {
      type: 'victorops',
      config: {
        api_key: from.secret('rest_endpoint_key', 'api key'),
        routing_key: from.open('routing_key', 'routing key'),
      },
    }
  },
  email(from) {
    from.refuse('subject')
    const server = mailServer(from.fields.text('server') ?? '')
    const security = from.fields.flag('allow_insecure') ? { security: 'none' } : {}
    return {
      type: 'email',
      config: {
        to: from.addresses('to'),
        from: from.addresses('from')[0],
        server: { ...server, ...security },
      },
    }
  },
  webhook(from) {
    if (from.fields.text('method')?.toUpperCase() !== 'POST')
      from.fields.refuse('is always POST here', 'method')
    return {
      type: 'webhook',
      config: { url: from.url('url'), ...from.headers(from.fields.textMap('headers')) },
    }
  },
}

export class CpraDestinations {
  readonly #draft: FleetDraft
  readonly #endpoints = new Map<string, string>()
  readonly #groups = new Map<string, string>()

  constructor(draft: FleetDraft) {
    this.#draft = draft
  }

  addEndpoints(manifest: Fields): void {
    const endpoints = manifest.fields('endpoints')
    for (const name of endpoints?.keys ?? []) {
      const written = endpoints!.take(name)
      if (!isMapping(written)) {
        endpoints!.note(name, 'is not carried over: it is not a mapping')
        continue
      }
      const outer = new Fields(written, name, this.#draft.notes)
      const type = outer.text('type') ?? ''
      const fields = outer.fields('config') ?? outer.within('config', {})
      outer.close()
      const id = carryDestination(this.#draft, notifiers, { name, type, fields })
      if (id !== null) this.#endpoints.set(name, id)
    }
  }

  addGroups(manifest: Fields): void {
    const groups = manifest.fields('notification_groups')
    for (const name of groups?.keys ?? []) {
      const members = groups!.texts(name).flatMap((member) => {
        const id = this.#endpoints.get(member)
        if (id === undefined)
          groups!.note(name, 'names an endpoint that is not carried over or does not exist')
        return id ?? []
      })
      if (members.length > 0) this.#groups.set(name, this.#draft.group(name, members))
    }
  }

  /** Undefined if the monitor notifies no one. */
  notify(monitor: Fields, name: string): object | undefined {
    const codes = monitor.fields('codes')
    const told: Record<string, object> = {}
    for (const color of codes?.keys ?? []) {
      const code = codes!.fields(color)
      const destination = code === null ? null : this.#destination(code, name, color)
      if (destination === null) continue
      if (colors.includes(color)) told[color] = destination
      else codes!.note(color, 'is not carried over: there is no such color')
    }
    return Object.keys(told).length === 0 ? undefined : told
  }

  #destination(code: Fields, name: string, color: string): object | null {
    const group = code.text('notify_group')
    const type = code.text('notify') ?? ''
    if (code.flag('dispatch') === false) {
      code.pass('config')
      code.note('', 'is not carried over: it is switched off')
      return null
    }
    if (group === undefined) {
      const fields = code.fields('config') ?? code.within('config', {})
      const id = carryDestination(this.#draft, notifiers, {
        name: type === 'log' ? type : `${name} ${color} ${type}`,
        type,
        fields,
      })
      return id === null ? null : { endpoints: [id] }
    }
    const id = this.#groups.get(group)
    if (id === undefined)
      code.note('notify_group', 'names a group that is not carried over or does not exist')
    return id === undefined ? null : { groups: [id] }
  }
}
