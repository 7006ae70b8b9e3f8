// kinds/notification-group.ts: the kind NotificationGroup: endpoints that are notified together.
import { missingFrom } from './field-error.ts'
import { idErrors } from './judging.ts'
import { defineKind } from './kind.ts'
import { usersOfDestination } from './named-in-fleet.ts'
import { keysOfKind } from './references.ts'

export const notificationGroupKind = defineKind<'NotificationGroup'>({
  names: ({ endpointRefs }) => keysOfKind('NotificationEndpoint', endpointRefs),
  judge:
    () =>
    ({ metadata, spec }, around) => [
      ...idErrors(metadata),
      ...missingFrom(around, 'NotificationEndpoint', spec.endpointRefs, '/spec/endpointRefs'),
    ],
  head: {
    name: 'groups',
    section: 'groups',
    toFleet: ({ endpointRefs }) => endpointRefs,
    toSpec: (endpointRefs: readonly string[]) => ({ endpointRefs: [...endpointRefs] }),
  },
  usersIn: (running, id) => usersOfDestination(running, 'groups', id),
})
