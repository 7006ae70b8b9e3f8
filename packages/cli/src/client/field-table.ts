// client/field-table.ts: the fields of a schema as a table for people.
import { fieldsOf, meaningOf, requiredIn, typeWords } from './schema-fields.ts'
import type { SchemaNode } from './schema-node.ts'
import { type Block, table } from './table/block.ts'

export function fieldTable(node: SchemaNode): Block {
  const required = requiredIn(node)
  return table(
    [
      { title: 'FIELD', cell: ([name]) => name },
      { title: 'TYPE', cell: ([, field]) => typeWords(field), minimum: 14 },
      { title: 'NEEDED', cell: ([name]) => required.has(name), dispensable: 1 },
      { title: 'MEANING', cell: ([, field]) => meaningOf(field), minimum: 20, dispensable: 2 },
    ],
    Object.entries(fieldsOf(node)),
    { empty: 'It has no fields.' },
  )
}
