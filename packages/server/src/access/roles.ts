// access/roles.ts: which v2 operations a role may call. Derived by rule from the table of operations, so that
// a new operation has its permissions from the start. Which job types a worker may run is not decided here.
import { v2 } from '@pulseward/contract'

export const roles = ['reader', 'operator', 'worker', 'probe'] as const
export type Role = (typeof roles)[number]

const rules: Readonly<Record<Role, (operation: v2.V2Operation) => boolean>> = {
  reader: (operation) => !v2.isMutation(operation),
  // A preflight stores nothing, but it validates with real credential values; by its method it is a write.
  operator: (operation) => !isWorkerCall(operation),
  worker: isWorkerCall,
  // Its one door is not an operation: the gateway that it dials (api/probes).
  probe: () => false,
}

export function isWorkerCall(operation: v2.V2Operation): boolean {
  return v2.isMutation(operation) && operation.path.startsWith('/api/v2/external-workers/')
}

const callable: Readonly<Record<Role, ReadonlySet<v2.OperationName>>> = {
  reader: operationsOf('reader'),
  operator: operationsOf('operator'),
  worker: operationsOf('worker'),
  probe: operationsOf('probe'),
}

function operationsOf(role: Role): ReadonlySet<v2.OperationName> {
  return new Set(v2.operationNames.filter((name) => rules[role](v2.operations[name])))
}

export function mayCall(role: Role, operation: v2.OperationName): boolean {
  return callable[role].has(operation)
}

/** A worker sees its jobs, and a probe its checks, and nothing else of the fleet. */
export function mayReadV1(role: Role): boolean {
  return role === 'reader' || role === 'operator'
}
