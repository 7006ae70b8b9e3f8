// kinds/route.ts: the kind Route: sends colors of all monitors that match to further destinations, or gives them a policy.
import type { v2 } from '@pulseward/contract'
import type { RouteDefinition } from '../config/fleet-file/definition.ts'
import type { FieldError } from '../config/shape/explain.ts'
import { missingFrom, missingOne, rule } from './field-error.ts'
import { referencesTo } from './file-monitor.ts'
import { idErrors } from './judging.ts'
import { defineKind } from './kind.ts'
import { keysOfKind } from './references.ts'

type Spec = v2.Route['spec']

/** The names of routes of files that have no id there. */
export const placeInFiles = /^routes\.\d+$/

export const routeKind = defineKind<'Route'>({
  names: ({ endpointRefs, groupRefs, policyRef }) => [
    ...keysOfKind('NotificationEndpoint', endpointRefs),
    ...keysOfKind('NotificationGroup', groupRefs),
    ...keysOfKind('Policy', policyRef === undefined ? [] : [policyRef]),
  ],
  judge:
    () =>
    ({ metadata, spec }, around) => [
      ...idErrors(metadata),
      ...(placeInFiles.test(metadata.id)
        ? [rule('/metadata/id', 'is how routes of fleet files without an id are named; choose another id')]
        : []),
      ...useErrors(spec),
      ...missingFrom(around, 'NotificationEndpoint', spec.endpointRefs, '/spec/endpointRefs'),
      ...missingFrom(around, 'NotificationGroup', spec.groupRefs, '/spec/groupRefs'),
      ...missingOne(around, 'Policy', spec.policyRef, '/spec/policyRef'),
    ],
  head: {
    name: 'routes',
    section: 'routes',
    toFleet: ({ match, colors = [], endpointRefs = [], groupRefs = [], policyRef, order = 0 }, { id }) => ({
      name: id,
      match,
      colors,
      destinations: { endpoints: endpointRefs, groups: groupRefs },
      ...(policyRef === undefined ? {} : { policy: policyRef, order }),
    }),
    toSpec: ({ match, colors, destinations, policy, order }: RouteDefinition) => ({
      match: { ...match },
      ...(colors.length === 0 ? {} : { colors: [...new Set(colors)] }),
      ...referencesTo(destinations),
      ...(policy === undefined ? {} : { policyRef: policy, order: order ?? 0 }),
    }),
  },
})

function useErrors({ colors, endpointRefs = [], groupRefs = [], policyRef, order }: Spec): FieldError[] {
  const namesDestinations = endpointRefs.length + groupRefs.length > 0
  if (colors !== undefined && !namesDestinations)
    return [rule('/spec', 'names no endpoint and no group; name at least one in endpointRefs or groupRefs')]
  if (colors === undefined && namesDestinations)
    return [rule('/spec/colors', 'is missing; it says what is sent, such as [red, green]')]
  if (policyRef !== undefined) return []
  if (order !== undefined)
    return [rule('/spec/order', 'is the order of routes that name a policy, and this one names none')]
  return namesDestinations
    ? []
    : [rule('/spec', 'does nothing; name a policy, or colors with endpoints or groups')]
}
