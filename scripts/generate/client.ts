// scripts/generate/client.ts: the generated parts of the client library, made from the contract: the wire
// types as plain TypeScript, a table of operations with the types of their methods, and a few constants.
import { type Answer, type Api, editions, type Operation, schemaIn, v2 } from '@pulseward/contract'
import { openApi } from '@pulseward/contract/openapi'
import { v1Api } from '@pulseward/contract/v1/api'
import { v2Api } from '@pulseward/contract/v2/api'
import { memberOf, type NamedOperation, rowOf, titleOf } from './client/method-writer.ts'
import { declarationOf, literalOf, nameIn, type PlainSchema } from './client/type-writer.ts'

const folder = 'packages/client/src/generated'

export async function client(): Promise<Map<string, string>> {
  return new Map([
    [`${folder}/v1-types.ts`, typesOf(v1Api, 'packages/contract/src/v1')],
    [`${folder}/v1-operations.ts`, operationsFile('v1', v1Operations())],
    [`${folder}/v2-types.ts`, typesOf(v2Api, 'packages/contract/src/v2')],
    [`${folder}/v2-operations.ts`, operationsFile('v2', v2Operations())],
    [`${folder}/figures.ts`, figures()],
  ])
}

function madeFrom(source: string): string {
  return `// Made by \`npm run generate\` from ${source}. Do not edit.\n`
}

function typesOf(api: Api, source: string): string {
  const declarations = Object.entries(namedSchemas(api)).map(([name, schema]) => declarationOf(name, schema))
  return `${madeFrom(source)}\n${declarations.join('\n')}`
}

/** The bodies of any edition, by name; the editions of one API agree on what a name means. */
function namedSchemas(api: Api): Record<string, PlainSchema> {
  const schemas: Record<string, PlainSchema> = {}
  for (const edition of editions) {
    const info = { title: '', version: '', description: '' }
    const document = openApi({
      info,
      edition,
      apis: [api],
      authentication: true,
      builds: ['external_jobs'],
    }) as unknown as { components: { schemas: Record<string, PlainSchema> } }
    for (const [name, schema] of Object.entries(document.components.schemas)) schemas[nameIn(name)] = schema
  }
  return Object.fromEntries(Object.entries(schemas).sort(([left], [right]) => (left < right ? -1 : 1)))
}

function v2Operations(): NamedOperation[] {
  return v2.operationNames.map((name) => {
    const operation: v2.V2Operation = v2.operations[name]
    return { name, operation, answer: titleOf(v2.successOf(operation).answer.schema!) }
  })
}

/** The sixteen reads of the contract; our own additions to v1 are for the dashboard. */
function v1Operations(): NamedOperation[] {
  return Object.entries<Operation>(v1Api.operations)
    .filter(([, operation]) => operation.tag !== 'additions')
    .map(([name, operation]) => ({ name, operation, answer: v1AnswerOf(operation.answers[200]!) }))
}

function v1AnswerOf(answer: Answer): string {
  const names = editions.map((edition) => {
    const schema = schemaIn(answer, edition)
    return Object.entries(v1Api.schemas).find(([, named]) => named === schema)?.[0] ?? 'string'
  })
  return [...new Set(names)].join(' | ')
}

function operationsFile(version: string, operations: readonly NamedOperation[]): string {
  const rows = operations.map(rowOf).join('')
  const members = operations.map(memberOf).join('')
  const used = [...new Set(members.match(/\b[A-Z]\w+\b/g) ?? [])]
  const declared = Object.keys(namedSchemas(version === 'v1' ? v1Api : v2Api))
  const types = declared.filter((name) => used.includes(name)).sort()
  const methods = ['ListMethod', 'Method', 'NoArguments'].filter((name) => used.includes(name))
  return `${madeFrom(`packages/contract/src/${version}`)}
import type { OperationTable } from '../core/operation-row.ts'
import type { ${methods.join(', ')} } from '../core/method.ts'
import type {
${types.map((name) => `  ${name},\n`).join('')}} from './${version}-types.ts'

export const ${version}Table = {
${rows}} as const satisfies OperationTable

export interface ${version.toUpperCase()}Methods {
${members}}
`
}

function figures(): string {
  const { clientTimeoutMs, clientResponseBytes, listLimit } = v2.limits
  const categories = v2.errorCategories.map((category) => `  | ${literalOf(category)}\n`).join('')
  const byStatus = Object.entries(v2.categoryByStatus).map(
    ([status, name]) => `  ${status}: ${literalOf(name)},\n`,
  )
  const running = v2.operationStates.filter((state) =>
    (v2.runningOperationStates as readonly string[]).includes(state),
  )
  return `${madeFrom('packages/contract/src/v2')}
export const defaultTimeoutMs = ${clientTimeoutMs}
export const defaultMaxResponseBytes = ${clientResponseBytes}
export const maxListLimit = ${listLimit}

/** What an edition without v2 answers with. */
export const notServedCode = ${literalOf(v2.notServedCode)}

/** States that an operation leaves by itself. */
export const runningOperationStates: readonly string[] = [${running.map(literalOf).join(', ')}]

export type ErrorCategory =
${categories}
export const categoryByStatus: Readonly<Record<number, ErrorCategory>> = {
${byStatus.join('')}}
`
}
