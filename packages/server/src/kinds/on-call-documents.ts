// kinds/on-call-documents.ts: people, schedules and policies of v2 as the entries that a fleet file would have for them, so
// that one validation and one engine serve both; and the path of a mistake in an entry back to a JSON pointer into the
// resource. Validates nothing.
import type { v2 } from '@pulseward/contract'
import { onCallMistakes } from '../config/fleet-file/on-call-rules.ts'
import type { PersonDocument, PolicyDocument, ScheduleDocument } from '../config/fleet-file/on-call-schema.ts'
import { asFieldError, type FieldError } from '../config/shape/explain.ts'
import type { Path } from '../config/shape/shape.ts'
import { jsonPointer } from './monitor-document.ts'

export function personDocument(name: string | null, spec: v2.Person['spec']): PersonDocument {
  const { timezone, endpointRefs: endpoints } = spec
  return {
    ...(name === null ? {} : { name }),
    ...(timezone === undefined ? {} : { timezone }),
    endpoints,
  }
}

export function scheduleDocument(spec: v2.Schedule['spec']): ScheduleDocument {
  const { timezone, layers, overrides, handoff } = spec
  return {
    ...(timezone === undefined ? {} : { timezone }),
    layers: layers.map(({ personRefs: people, ...layer }) => ({ people, ...layer })),
    ...(overrides === undefined
      ? {}
      : { overrides: overrides.map(({ from, to, personRef: person }) => ({ from, to, person })) }),
    ...(handoff === undefined ? {} : { handoff }),
  }
}

export function policyDocument(spec: v2.Policy['spec']): PolicyDocument {
  const { steps, repeat, quiet, ackTimeout, escalateOwned, lastResort } = spec
  return {
    steps: steps.map(({ notify, ...step }) => ({ notify: notify.map(recipientDocument), ...step })),
    ...(repeat === undefined ? {} : { repeat }),
    ...(quiet === undefined ? {} : { quiet }),
    ...(ackTimeout === undefined ? {} : { ack_timeout: ackTimeout }),
    ...(escalateOwned === undefined ? {} : { escalate_owned: escalateOwned }),
    ...(lastResort === undefined ? {} : { last_resort: destinations(lastResort) }),
  }
}

/** The rules that no schema can express, in terms of v2. */
export function onCallErrors(section: 'people' | 'schedules' | 'policies', document: object): FieldError[] {
  return onCallMistakes(section, document).map((mistake) => asFieldError(mistake, pointerInSpec, 'shown'))
}

type RecipientDocument = PolicyDocument['steps'][number]['notify'][number]

function recipientDocument(recipient: v2.PolicyRecipient): RecipientDocument {
  const { scheduleRef, personRef, groupRef, endpointRef, allEndpoints } = recipient
  return {
    ...(scheduleRef === undefined ? {} : { schedule: scheduleRef }),
    ...(personRef === undefined ? {} : { person: personRef }),
    ...(groupRef === undefined ? {} : { group: groupRef }),
    ...(endpointRef === undefined ? {} : { endpoint: endpointRef }),
    ...(allEndpoints === undefined ? {} : { all_endpoints: allEndpoints }),
  }
}

function destinations({ groupRefs, endpointRefs }: NonNullable<v2.Policy['spec']['lastResort']>) {
  return {
    ...(groupRefs === undefined ? {} : { groups: groupRefs }),
    ...(endpointRefs === undefined ? {} : { endpoints: endpointRefs }),
  }
}

/** Names of entries that v2 spells otherwise; those that no rule is about are left out. */
const renamed: Readonly<Record<string, string>> = { all_endpoints: 'allEndpoints' }

function pointerInSpec(path: Path): string {
  return jsonPointer(['spec', ...path.map((part) => renamed[part] ?? part)])
}
