// client/subjects/operations.ts: operations over many items, who started them and their progress; or one
// operation of any kind, with the outcomes of its items.
import type { v2 } from '@pulseward/client'
import { moment, wholeId } from '../table/values.ts'
import { operationBlocks } from './operation-blocks.ts'
import { type Subject, subject } from './subject.ts'
import { listSubject, pageQuery } from './v2-list.ts'

const list = listSubject<v2.Operation>({
  aliases: ['operation'],
  summary: 'applied collections and controls of many, or one operation with its items (v2)',
  operations: ['ListOperations', 'GetOperation'],
  filters: ['state'],
  empty: 'There is no operation.',
  method: (client) => client.listOperations,
  columns: [
    { title: 'ID', cell: ({ id }) => id, minimum: wholeId },
    { title: 'STATE', cell: ({ state }) => state, state: true },
    { title: 'DOES', cell: ({ verb = 'apply' }) => verb, dispensable: 3 },
    { title: 'BY', cell: ({ actor }) => actor, minimum: 6, dispensable: 1 },
    { title: 'UPLOADED', cell: ({ uploaded }) => uploaded, dispensable: 5 },
    { title: 'APPLIED', cell: ({ applied }) => applied },
    { title: 'ITEMS', cell: ({ itemCount }) => itemCount },
    { title: 'CREATED', cell: ({ createdAt }) => moment(createdAt), dispensable: 4 },
    { title: 'UPDATED', cell: ({ updatedAt }) => moment(updatedAt), dispensable: 2 },
    { title: 'REASON', cell: ({ reason }) => reason, minimum: 10, wide: true, dispensable: 6 },
  ],
})

export const operations: Subject = subject<object>({
  ...list,
  id: 'optional',
  filtersOfOne: ['limit', 'cursor'],
  prepare(parsed, id) {
    if (id === '') return list.prepare(parsed, '') as () => Promise<object>
    const page = pageQuery(parsed)
    return async (client, options) => (await client.getOperation({ id, ...page }, options)).data
  },
  blocks: (data) => ('state' in data ? operationBlocks(data as v2.Operation) : list.blocks(data)),
})
