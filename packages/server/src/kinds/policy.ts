// kinds/policy.ts: the kind Policy: what happens from the opening of an incident until a person takes care of it.
import type { v2 } from '@pulseward/contract'
import type { EscalationPolicy, QuietDefinition, RecipientDefinition } from '../config/fleet-file/on-call.ts'
import { escalationPolicy, zoneOfPerson } from '../config/fleet-file/on-call-definition.ts'
import { formatDuration } from '../platform/duration.ts'
import { missingFrom, missingOne } from './field-error.ts'
import { referencesTo } from './file-monitor.ts'
import { idErrors } from './judging.ts'
import { defineKind, type ManagedKind, type ResourceKey } from './kind.ts'
import { usersOfPolicy } from './named-in-fleet.ts'
import { onCallErrors, policyDocument } from './on-call-documents.ts'
import { keysOfKind } from './references.ts'
import { timeText } from './schedule.ts'

type Spec = v2.Policy['spec']

const kindOfField = {
  scheduleRef: 'Schedule',
  personRef: 'Person',
  groupRef: 'NotificationGroup',
  endpointRef: 'NotificationEndpoint',
} as const satisfies Readonly<Record<string, ManagedKind>>
const fields = Object.keys(kindOfField) as (keyof typeof kindOfField)[]

export const policyKind = defineKind<'Policy'>({
  names: ({ steps, lastResort }) => [
    ...steps.flatMap(({ notify }) => notify.flatMap(namedBy)),
    ...keysOfKind('NotificationEndpoint', lastResort?.endpointRefs),
    ...keysOfKind('NotificationGroup', lastResort?.groupRefs),
  ],
  judge:
    () =>
    ({ metadata, spec: { steps, lastResort, ...spec } }, around) => [
      ...idErrors(metadata),
      ...onCallErrors('policies', policyDocument({ ...spec, steps })),
      ...steps.flatMap(({ notify }, step) =>
        notify.flatMap((recipient, number) =>
          fields.flatMap((field) =>
            missingOne(
              around,
              kindOfField[field],
              recipient[field],
              `/spec/steps/${step}/notify/${number}/${field}`,
            ),
          ),
        ),
      ),
      ...missingFrom(
        around,
        'NotificationEndpoint',
        lastResort?.endpointRefs,
        '/spec/lastResort/endpointRefs',
      ),
      ...missingFrom(around, 'NotificationGroup', lastResort?.groupRefs, '/spec/lastResort/groupRefs'),
    ],
  head: {
    name: 'escalationPolicies',
    section: 'policies',
    toFleet: (spec) => escalationPolicy(policyDocument(spec)),
    toSpec: policySpec,
  },
  usersIn: usersOfPolicy,
})

function namedBy(recipient: v2.PolicyRecipient): ResourceKey[] {
  return fields.flatMap((field) => {
    const id = recipient[field]
    return id === undefined ? [] : keysOfKind(kindOfField[field], [id])
  })
}

function policySpec(policy: EscalationPolicy): Spec {
  const { steps, repeat, quiet, ackTimeoutMs, escalatesOwned, lastResort } = policy
  const others = referencesTo(lastResort)
  return {
    steps: steps.map(({ notify, waitMs }) => ({
      notify: notify.map(recipientSpec),
      wait: formatDuration(waitMs),
    })),
    repeat,
    ...(quiet === null ? {} : { quiet: quietSpec(quiet) }),
    ...(ackTimeoutMs === null ? {} : { ackTimeout: formatDuration(ackTimeoutMs) }),
    escalateOwned: escalatesOwned,
    ...(Object.keys(others).length === 0 ? {} : { lastResort: others }),
  }
}

function recipientSpec(recipient: RecipientDefinition): v2.PolicyRecipient {
  const all = 'allEndpoints' in recipient && recipient.allEndpoints ? { allEndpoints: true } : {}
  return { [`${recipient.kind}Ref`]: recipient.name, ...all }
}

function quietSpec({ fromMinute, toMinute, timezone, severities, drops }: QuietDefinition) {
  return {
    hours: `${timeText(fromMinute)}-${timeText(toMinute)}`,
    zone: timezone ?? zoneOfPerson,
    severities: [...severities],
    // biome-ignore lint/suspicious/noThenProperty: what follows from quiet hours; nobody awaits a policy.
    then: drops ? ('drop' as const) : ('hold' as const),
  }
}
