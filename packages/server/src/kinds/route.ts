// kinds/route.ts: the kind Route: sends colors of all monitors that match to further destinations.
import type { RouteDefinition } from '../config/fleet-file/definition.ts'
import { missingFrom, rule } from './field-error.ts'
import { referencesTo } from './file-monitor.ts'
import { idErrors } from './judging.ts'
import { defineKind } from './kind.ts'
import { keysOfKind } from './references.ts'

/** The names of routes of files that have no id there. */
export const placeInFiles = /^routes\.\d+$/

export const routeKind = defineKind<'Route'>({
  names: ({ endpointRefs, groupRefs }) => [
    ...keysOfKind('NotificationEndpoint', endpointRefs),
    ...keysOfKind('NotificationGroup', groupRefs),
  ],
  judge:
    () =>
    ({ metadata, spec: { endpointRefs = [], groupRefs = [] } }, around) => [
      ...idErrors(metadata),
      ...(placeInFiles.test(metadata.id)
        ? [rule('/metadata/id', 'is how routes of fleet files without an id are named; choose another id')]
        : []),
      ...(endpointRefs.length + groupRefs.length === 0
        ? [rule('/spec', 'names no endpoint and no group; name at least one in endpointRefs or groupRefs')]
        : []),
      ...missingFrom(around, 'NotificationEndpoint', endpointRefs, '/spec/endpointRefs'),
      ...missingFrom(around, 'NotificationGroup', groupRefs, '/spec/groupRefs'),
    ],
  head: {
    name: 'routes',
    toFleet: ({ match, colors, endpointRefs = [], groupRefs = [] }, _drivers, id) => ({
      name: id,
      match,
      colors,
      destinations: { endpoints: endpointRefs, groups: groupRefs },
    }),
    toSpec: ({ match, colors, destinations }: RouteDefinition) => ({
      match: { ...match },
      colors: [...new Set(colors)],
      ...referencesTo(destinations),
    }),
  },
})
