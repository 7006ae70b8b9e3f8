// v2/operations.ts: the table of all operations of v2, by name: the 66 of the contract, and the additions of
// Pulseward. Routes, roles, client, OpenAPI document and docs are all made from it.
import { additionNames, additions } from './additions.ts'
import { kindsOfContract } from './kinds.ts'
import { bulkOperations } from './operations/bulk.ts'
import { controlOperations } from './operations/controls.ts'
import { externalWorkerOperations } from './operations/external-workers.ts'
import { observationOperations } from './operations/observations.ts'
import type { V2Operation } from './operations/parts.ts'
import { operationsOn } from './operations/resources.ts'

/** The 66 of the contract. */
export const contractOperations = {
  ...operationsOn(kindsOfContract),
  ...controlOperations,
  ...bulkOperations,
  ...observationOperations,
  ...externalWorkerOperations,
} as const satisfies Readonly<Record<string, V2Operation>>

export const operations = { ...contractOperations, ...additions } as const

export type ContractOperationName = keyof typeof contractOperations
export type OperationName = keyof typeof operations

export const contractOperationNames = Object.keys(contractOperations) as ContractOperationName[]

export const operationNames = Object.keys(operations) as OperationName[]

/** Whether it is an addition to the contract. */
export function isAddition(name: OperationName): boolean {
  return (additionNames as readonly OperationName[]).includes(name)
}

/** The operations of a service without external jobs. */
export const defaultOperationNames = operationNames.filter((name) => !isExternalJobs(operations[name]))

function isExternalJobs(operation: V2Operation): boolean {
  return operation.build === 'external_jobs'
}

/** The one answer of an operation that is not an error. */
export function successOf(operation: V2Operation) {
  const [[status, answer]] = Object.entries(operation.answers) as [[string, V2Operation['answers'][number]]]
  return { status: Number(status), answer }
}

/** Whether it may change the state of the service. */
export function isMutation(operation: V2Operation): boolean {
  return operation.method !== 'GET'
}
