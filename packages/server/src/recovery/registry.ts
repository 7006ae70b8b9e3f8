// recovery/registry.ts: every recovery driver by its name in fleet files. One line a driver.
import { Type } from 'typebox'
import { closed, HttpUrl, OpenOrSecret, oneOf } from '../platform/schema.ts'

const webhook = {
  summary: 'Calls a URL that restarts or repairs the target.',
  config: closed({
    url: HttpUrl,
    method: Type.Optional(oneOf(['POST', 'PUT', 'GET'], 'The method of the call.', { default: 'POST' })),
    headers: Type.Optional(Type.Record(Type.String(), OpenOrSecret)),
    body: Type.Optional(
      Type.String({ maxLength: 65_536, description: 'Sent as it is instead of the JSON description.' }),
    ),
  }),
}

const command = {
  summary: 'Runs a program with an argument vector, never a shell; must be allowed in the settings.',
  config: closed({
    argv: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 64,
      description: 'The program and its arguments.',
    }),
  }),
}

export const recoveries = { webhook, command }
