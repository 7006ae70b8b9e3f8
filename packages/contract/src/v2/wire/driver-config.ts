// v2/wire/driver-config.ts: a driver and its options. Options are the driver's own business (GET
// /api/v2/schemas/{id} explains them); what is secret comes by reference to a credential.
import { type Static, Type } from 'typebox'
import { identifier, text, wireType } from './wire-type.ts'

export const DriverConfig = wireType('DriverConfig', 'A driver and its options.', {
  type: text('The driver, such as http or slack.', { minLength: 1, maxLength: 128 }),
  config: Type.Unknown({ description: "The driver's own options." }),
  credentialRefs: Type.Optional(
    Type.Record(Type.String(), identifier('A credential.'), {
      description: 'Fields of config, each with the credential that its value comes from.',
    }),
  ),
})

export type DriverConfig = Static<typeof DriverConfig>
