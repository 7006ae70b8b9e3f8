// kinds/person.ts: the kind Person: a person who can be on call, and the endpoints on which they are told.
import type { PersonDefinition } from '../config/fleet-file/on-call.ts'
import { personDefinition } from '../config/fleet-file/on-call-definition.ts'
import { missingFrom } from './field-error.ts'
import { idErrors } from './judging.ts'
import { defineKind } from './kind.ts'
import { usersOfPerson } from './named-in-fleet.ts'
import { onCallErrors, personDocument } from './on-call-documents.ts'
import { keysOfKind } from './references.ts'

export const personKind = defineKind<'Person'>({
  names: ({ endpointRefs }) => keysOfKind('NotificationEndpoint', endpointRefs),
  judge:
    () =>
    ({ metadata, spec }, around) => [
      ...idErrors(metadata),
      ...onCallErrors('people', personDocument(null, spec)),
      ...missingFrom(around, 'NotificationEndpoint', spec.endpointRefs, '/spec/endpointRefs'),
    ],
  head: {
    name: 'people',
    section: 'people',
    toFleet: (spec, { name }) => personDefinition(personDocument(name, spec)),
    toSpec: ({ timezone, endpoints }: PersonDefinition) => ({
      ...(timezone === null ? {} : { timezone }),
      endpointRefs: [...endpoints],
    }),
    nameOf: ({ name }: PersonDefinition) => name,
  },
  usersIn: usersOfPerson,
})
