// v2/wire/push-key.ts: a key that the service has made for a job that reports by itself.
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { text, wireType } from './wire-type.ts'

const id = (description: string) => text(description, { minLength: 1, maxLength: limits.idCharacters })

export const PushKeyRequest = wireType('PushKeyRequest', 'Asks for a key of a job that reports by itself.', {
  credential: id('The id of the credential to create, whose value the key becomes.'),
})
export type PushKeyRequest = Static<typeof PushKeyRequest>

export const PushKey = wireType('PushKey', 'A key of a job that reports by itself.', {
  credential: id('The credential that has it.'),
  key: text('Stands in the address that the job calls: /push/KEY. It is told only here.'),
})
export type PushKey = Static<typeof PushKey>
