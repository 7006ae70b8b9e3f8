// import/goalert/destinations.ts: where GoAlert sends messages, as endpoints. It has one mail server and one account for SMS,
// in settings that only its administrators can read: what is missing becomes a variable to set.
import type { DestinationFields, DestinationTable } from '../destination.ts'
import { bareAddress, mailServer } from '../destination.ts'
import { type Fields, isMapping } from '../fields.ts'
import { stated } from '../monitor-parts.ts'
import type { OpenText } from '../secrets.ts'

export interface Destination {
  readonly type: string
  readonly args: Record<string, unknown>
}

export function destinationOf(fields: Fields): Destination {
  fields.pass('displayInfo')
  const args = fields.take('args')
  return { type: fields.text('type') ?? '', args: isMapping(args) ? args : {} }
}

type Settings = ReadonlyMap<string, string>

export function destinationTable(settings: Settings): DestinationTable {
  return {
    'builtin-smtp-email': (from) => ({
      type: 'email',
      config: {
        to: from.addresses('email_address'),
        from: bareAddress(settings.get('SMTP.From') ?? '') || from.unknown('goalert', 'mail sender'),
        server: mailServerOf(settings, from),
      },
    }),
    'builtin-twilio-sms': (from) => ({
      type: 'twilio',
      config: {
        account_sid: settings.get('Twilio.AccountSID') ?? from.unknown('goalert', 'twilio account sid'),
        auth_token: secretSetting(settings, 'Twilio.AuthToken', 'twilio auth token', from),
        from:
          settings.get('Twilio.MessagingServiceSID') ??
          settings.get('Twilio.FromNumber') ??
          from.unknown('goalert', 'twilio number'),
        to: from.open('phone_number', 'phone number'),
      },
    }),
    'builtin-webhook'(from) {
      from.fields.note('webhook_url', 'gets messages in the form of this service')
      return { type: 'webhook', config: { url: from.url('webhook_url') } }
    },
    'builtin-slack-channel'(from) {
      from.fields.pass('slack_channel_id')
      return { type: 'slack', config: { hook: from.unknown(from.fields.subject, 'slack webhook') } }
    },
  }
}

function secretSetting(settings: Settings, name: string, purpose: string, from: DestinationFields): OpenText {
  const value = settings.get(name)
  return value === undefined ? from.unknown('goalert', purpose) : from.secretOf('goalert', purpose, value)
}

function mailServerOf(settings: Settings, from: DestinationFields): object {
  const address = settings.get('SMTP.Address')
  if (address === undefined)
    return {
      host: from.unknown('goalert', 'mail host'),
      username: from.unknown('goalert', 'mail username'),
      password: from.unknown('goalert', 'mail password'),
    }
  const isOpen = settings.get('SMTP.DisableTLS') === 'true'
  const username = settings.get('SMTP.Username')
  const password =
    username === undefined ? undefined : secretSetting(settings, 'SMTP.Password', 'mail password', from)
  return { ...mailServer(address), security: isOpen ? 'none' : 'tls', ...stated({ username, password }) }
}
