// v2/index.ts: the entry point of v2: its types, the 66 operations of the contract and the additions, its
// error codes and limits. Examples have a separate entry point.

export { componentsWith, stateToWrite } from './about-monitor.ts'
export { type AdditionName, additionNames, additions } from './additions.ts'
export { type ItemMistake, itemMessage, mistakesInItemMessage } from './item-message.ts'
export {
  isPatched,
  type KindWords,
  kindNumber,
  kinds,
  kindsInOrder,
  type PatchedKind,
  type ResourceKind,
  resourceKinds,
} from './kinds.ts'
export { limits } from './limits.ts'
export { type MarkdownBlock, type MarkdownInline, parseMarkdown } from './markdown.ts'
export { jsonMediaType, type ListFilter, mergePatchMediaType, type V2Operation } from './operations/parts.ts'
export {
  type ContractOperationName,
  contractOperationNames,
  contractOperations,
  defaultOperationNames,
  isAddition,
  isMutation,
  type OperationName,
  operationNames,
  operations,
  successOf,
} from './operations.ts'
export {
  categoryByStatus,
  commonProblems,
  type ErrorCategory,
  errorCategories,
  type FieldReason,
  fieldReasons,
  notServedCode,
  type ProblemCode,
  problems,
} from './problems.ts'
export { Resource, resourceTypes } from './resource-types.ts'
export { isSecretName } from './secret-names.ts'
export { parseSelector, type Selector, type SelectorClause, selectorText } from './selector.ts'
export * from './wire/action.ts'
export * from './wire/apply.ts'
export * from './wire/audience.ts'
export * from './wire/badge.ts'
export * from './wire/because.ts'
export * from './wire/calendar.ts'
export * from './wire/control.ts'
export * from './wire/credential.ts'
export * from './wire/decision-explanation.ts'
export * from './wire/driver-config.ts'
export * from './wire/escalation-page.ts'
export * from './wire/event.ts'
export * from './wire/external-worker.ts'
export * from './wire/incident.ts'
export * from './wire/job-type.ts'
export * from './wire/merge-patch.ts'
export * from './wire/monitor.ts'
export * from './wire/notification.ts'
export * from './wire/person.ts'
export * from './wire/policy.ts'
export * from './wire/practice-target.ts'
export * from './wire/problem.ts'
export * from './wire/push-key.ts'
export * from './wire/resource.ts'
export * from './wire/route.ts'
export * from './wire/schedule.ts'
export * from './wire/service.ts'
export * from './wire/sign-in-link.ts'
export * from './wire/slo.ts'
export * from './wire/state.ts'
export * from './wire/status-incident.ts'
export * from './wire/status-page.ts'
export * from './wire/telemetry.ts'
export * from './wire/trial.ts'
export { forms, Measurement, nameOf, Percentiles } from './wire/wire-type.ts'
export { type WireTypeName, wireTypes } from './wire-types.ts'
