// v2/wire/driver-config.ts: a driver and its options. Each driver defines its own options (GET
// /api/v2/schemas/{id} explains them); secrets are given by reference to a credential.
import { type Static, Type } from 'typebox'
import { identifier, text, wireType } from './wire-type.ts'

export const DriverConfig = wireType('DriverConfig', 'A driver and its options.', {
  type: text('The driver, such as http or slack.', { minLength: 1, maxLength: 128 }),
  config: Type.Unknown({
    description:
      "The driver's own options, in snake_case, as a fleet file has them under config. To readers, secret parts of URLs and headers are [REDACTED].",
  }),
  credentialRefs: Type.Optional(
    Type.Record(Type.String({ pattern: '^[!-~]{1,256}$' }), identifier('A credential.'), {
      additionalProperties: false,
      maxProperties: 64,
      description:
        'Fields of config, nested ones as a dotted path such as auth.bearer, each with the credential that its value comes from. Any text may be given this way; a secret must be. Of an external driver, profile is the name that its workers know a secret by.',
    }),
  ),
})

export type DriverConfig = Static<typeof DriverConfig>
