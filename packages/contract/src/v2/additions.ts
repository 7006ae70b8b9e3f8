// v2/additions.ts: the operations that Pulseward adds to the 66 of the contract. They follow the same rules:
// roles, preconditions, errors, lists. They are counted separately, and marked in the OpenAPI document.
import { addedKinds } from './kinds.ts'
import { explanationOperations } from './operations/explanations.ts'
import { incidentNoteAdditions } from './operations/incident-notes.ts'
import { onCallOperations } from './operations/on-call.ts'
import { operationAdditions } from './operations/operation-list.ts'
import type { V2Operation } from './operations/parts.ts'
import { practiceTargetOperations } from './operations/practice-target.ts'
import { pushKeyOperations } from './operations/push-keys.ts'
import { operationsOn } from './operations/resources.ts'
import { signInLinkOperations } from './operations/sign-in-links.ts'
import { trialAdditions } from './operations/trials.ts'

export const additions = {
  ...operationAdditions,
  ...incidentNoteAdditions,
  ...trialAdditions,
  ...signInLinkOperations,
  ...practiceTargetOperations,
  ...operationsOn(addedKinds),
  ...onCallOperations,
  ...pushKeyOperations,
  ...explanationOperations,
} as const satisfies Readonly<Record<string, V2Operation>>

export type AdditionName = keyof typeof additions

export const additionNames = Object.keys(additions) as AdditionName[]
