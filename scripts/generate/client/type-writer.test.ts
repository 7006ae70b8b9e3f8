import { describe, expect, it } from 'vitest'
import { declarationOf, typeOf } from './type-writer.ts'

describe('a schema as TypeScript', () => {
  it.each([
    [{ type: 'integer' }, 'number'],
    [{ type: 'string', format: 'date-time' }, 'string'],
    [{ enum: ["it's", 'b'] }, "'it\\'s' | 'b'"],
    [{ const: '*' }, "'*'"],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    [{ type: 'array', items: { $ref: '#/components/schemas/v2.Queue' } }, 'Queue[]'],
    [{ type: 'object', patternProperties: { '^x': { type: 'number' } } }, 'Record<string, number>'],
    [{ type: 'object', additionalProperties: {} }, 'Record<string, unknown>'],
    [{}, 'unknown'],
  ])('%j is %s', (schema, written) => {
    expect(typeOf(schema)).toBe(written)
  })

  it('keeps what a schema says of itself, and nothing of it can end the comment', () => {
    const properties = { a: { type: 'string', description: 'ends */ here' }, 'b-c': { type: 'boolean' } }
    expect(
      declarationOf('Thing', { type: 'object', description: 'A thing.', properties, required: ['a'] }),
    ).toBe(
      "/** A thing. */\nexport interface Thing {\n  /** ends *\\/ here */\n  a: string\n  'b-c'?: boolean\n}\n",
    )
  })
})
