// import/uptime-kuma/notifications.ts: notifications of Uptime Kuma, each an endpoint.
import { bareAddress, carryDestination, type DestinationTable } from '../destination.ts'
import { Fields, isBlank, isMapping } from '../fields.ts'
import { type FleetDraft, NotCarried } from '../fleet-draft.ts'
import { stated } from '../monitor-parts.ts'
import { idOf, parsed, type Row } from './source.ts'

const providers: DestinationTable = {
  slack: (from) => ({ type: 'slack', config: { hook: from.secret('slackwebhookURL', 'webhook url') } }),
  discord(from) {
    if (from.fields.text('threadId') !== undefined) from.fields.note('threadId', 'is not carried over')
    return { type: 'discord', config: { webhook_url: from.secret('discordWebhookUrl', 'webhook url') } }
  },
  teams: (from) => ({ type: 'teams', config: { webhook_url: from.secret('webhookUrl', 'webhook url') } }),
  mattermost: (from) => ({
    type: 'mattermost',
    config: { webhook_url: from.secret('mattermostWebhookUrl', 'webhook url') },
  }),
  GoogleChat: (from) => ({
    type: 'google_chat',
    config: { webhook_url: from.secret('googleChatWebhookURL', 'webhook url') },
  }),
  telegram(from) {
    const more = stated({
      message_thread_id: from.fields.number('telegramMessageThreadID'),
      api_url: from.maybeUrl('telegramServerUrl'),
    })
    const config = {
      bot_token: from.secret('telegramBotToken', 'bot token'),
      chat_id: from.chatId('telegramChatID'),
    }
    return { type: 'telegram', config: { ...config, ...more } }
  },
  PagerDuty(from) {
    const isEuropean = from.fields.text('pagerdutyIntegrationUrl')?.includes('.eu.pagerduty.com')
    const routing_key = from.secret('pagerdutyIntegrationKey', 'integration key')
    return { type: 'pagerduty', config: { routing_key, ...(isEuropean ? { region: 'eu' } : {}) } }
  },
  Opsgenie(from) {
    const isEuropean = from.fields.text('opsgenieRegion')?.toLowerCase() === 'eu'
    return {
      type: 'opsgenie',
      config: { api_key: from.secret('opsgenieApiKey', 'api key'), ...(isEuropean ? { region: 'eu' } : {}) },
    }
  },
  pushover: (from) => ({
    type: 'pushover',
    config: {
      token: from.secret('pushoverapptoken', 'app token'),
      user: from.secret('pushoveruserkey', 'user key'),
      ...stated({ device: from.maybeOpen('pushoverdevice', 'device') }),
    },
  }),
  twilio(from) {
    if (from.fields.text('twilioApiKey') !== undefined)
      throw new NotCarried('twilioApiKey', 'a notifier logs in with the auth token of the account')
    const sender =
      from.maybeOpen('twilioMessagingServiceSID', 'from') ?? from.open('twilioFromNumber', 'from')
    from.fields.pass('twilioFromNumber')
    return {
      type: 'twilio',
      config: {
        account_sid: from.open('twilioAccountSID', 'account sid'),
        auth_token: from.secret('twilioAuthToken', 'auth token'),
        from: sender,
        to: from.open('twilioToNumber', 'to'),
      },
    }
  },
  ntfy(from) {
    if (from.fields.text('ntfyAuthenticationMethod') === 'usernamePassword')
      throw new NotCarried('ntfyAuthenticationMethod', 'a notifier logs in with an access token')
    const more = stated({
      token: from.maybeSecret('ntfyaccesstoken', 'token'),
      api_url: from.maybeUrl('ntfyserverurl'),
    })
    return { type: 'ntfy', config: { topic: from.open('ntfytopic', 'topic'), ...more } }
  },
  gotify: (from) => ({
    type: 'gotify',
    config: { api_url: from.url('gotifyserverurl'), token: from.secret('gotifyapplicationToken', 'token') },
  }),
  matrix: (from) => ({
    type: 'matrix',
    config: {
      api_url: from.url('homeserverUrl'),
      access_token: from.secret('accessToken', 'access token'),
      room_id: from.open('internalRoomId', 'room'),
    },
  }),
  webhook(from) {
    from.fields.refuse(
      'is not carried over: webhooks here are POST with a body of their own',
      'webhookCustomBody',
    )
    if (from.fields.text('httpMethod')?.toUpperCase() !== 'POST')
      from.fields.refuse('is always POST here', 'httpMethod')
    from.fields.pass('webhookContentType')
    const headers = parsed(from.fields.take('webhookAdditionalHeaders'))
    if (!isBlank(headers) && !isMapping(headers))
      from.fields.note('webhookAdditionalHeaders', 'is not carried over: it is not a mapping in JSON')
    const texts = Object.entries(isMapping(headers) ? headers : {}).map(([name, value]) => [
      name,
      String(value),
    ])
    return {
      type: 'webhook',
      config: { url: from.url('webhookURL'), ...from.headers(Object.fromEntries(texts)) },
    }
  },
  smtp(from) {
    const port = from.fields.number('smtpPort') || undefined
    const isSecure = from.fields.flag('smtpSecure') === true
    const security = isSecure
      ? 'tls'
      : from.fields.flag('smtpIgnoreSTARTTLS') || port === 25
        ? 'none'
        : 'starttls'
    const username = from.maybeOpen('smtpUsername', 'username')
    const password = from.maybeSecret('smtpPassword', 'password')
    const server = { host: from.open('smtpHost', 'host'), security, ...stated({ port, username, password }) }
    const to = [
      ...from.addresses('smtpTo'),
      ...copies(from.fields, 'smtpCC'),
      ...copies(from.fields, 'smtpBCC'),
    ]
    return { type: 'email', config: { to: [...new Set(to)], from: from.addresses('smtpFrom')[0], server } }
  },
}

function copies(fields: Fields, key: string): string[] {
  const text = fields.text(key)
  if (text === undefined) return []
  fields.note(key, 'are recipients like all others here')
  return text.split(',').map(bareAddress)
}

/** Endpoint ids by notification id; those not carried over are noted by name. */
export function carryNotifications(rows: readonly Row[], draft: FleetDraft): Map<number, string> {
  const endpoints = new Map<number, string>()
  for (const row of rows) {
    const name = typeof row['name'] === 'string' ? row['name'] : 'a notification'
    const config = parsed(row['config'])
    const outer = new Fields(row, `notification ${name}`, draft.notes, isBlank)
    outer.pass('id', 'name', 'user_id', 'config', 'is_default')
    if (outer.flag('active') === false) outer.note('', 'is not active, and is not carried over')
    else if (!isMapping(config)) outer.note('config', 'cannot be read; the notification is not carried over')
    else {
      const fields = new Fields(config, `notification ${name}`, draft.notes, isBlank)
      fields.pass('name', 'isDefault', 'applyExisting', 'id', 'userId', 'active')
      const type = fields.text('type') ?? ''
      const id = carryDestination(draft, providers, { name, type, fields })
      const own = idOf(row['id'])
      if (id !== null && own !== null) endpoints.set(own, id)
    }
    outer.close()
  }
  return endpoints
}
