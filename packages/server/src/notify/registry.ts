// notify/registry.ts: every notification driver by its name in fleet files. One line a driver.
import { Type } from 'typebox'
import { closed, Host, HttpUrl, OpenOrSecret, oneOf, Port, Secret } from '../platform/schema.ts'

const log = { summary: "Writes the notification to the service's log.", config: closed({}) }

const webhook = {
  summary: 'Posts the notification as JSON to a URL.',
  config: closed({ url: HttpUrl, headers: Type.Optional(Type.Record(Type.String(), OpenOrSecret)) }),
}

const slack = {
  summary: 'Posts to a Slack incoming webhook.',
  config: closed({ hook: Secret }),
}

const Address = Type.String({
  pattern: '^[^\\s@]+@[^\\s@]+$',
  maxLength: 320,
  description: 'A mail address.',
})

const email = {
  summary: 'Sends mail over SMTP.',
  config: closed({
    to: Type.Array(Address, { minItems: 1, maxItems: 50 }),
    from: Address,
    server: closed({
      host: Host,
      port: Type.Optional(Port),
      security: Type.Optional(
        oneOf(['starttls', 'tls', 'none'], 'With starttls a server that does not offer it is refused.', {
          default: 'starttls',
        }),
      ),
      username: Type.Optional(Type.String()),
      password: Type.Optional(Secret),
    }),
  }),
}

export const notifiers = { log, webhook, email, slack }
