// store/postgres/label-tokens.ts: labels as an array of texts that an index finds them by, and selectors as conditions on
// that array. A label has two tokens: its key, and its key with its value. They are JSON, which has no NUL character:
// PostgreSQL has none either.
import type { Labels, Selector, SelectorClause } from '../selector.ts'

export function labelTokens(labels: Labels): string[] {
  return Object.entries(labels).flatMap(([key, value]) => [keyToken(key), valueToken(key, value)])
}

/** A condition on the column `tokens`, and its parameters, which are numbered from `next` on. */
export function selectorCondition(selector: Selector, next: number): { text: string; values: string[][] } {
  const clauses = selector.map(conditionOf)
  return {
    text: clauses
      .map(({ excludes }, index) => `${excludes ? 'NOT ' : ''}tokens && $${next + index}::text[]`)
      .join(' AND '),
    values: clauses.map(({ tokens }) => tokens),
  }
}

/** An array as PostgreSQL writes it. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

function conditionOf(clause: SelectorClause): { tokens: string[]; excludes: boolean } {
  switch (clause.is) {
    case 'present':
      return { tokens: [keyToken(clause.key)], excludes: false }
    case 'absent':
      return { tokens: [keyToken(clause.key)], excludes: true }
    case 'in':
      return { tokens: clause.values.map((value) => valueToken(clause.key, value)), excludes: false }
    case 'notIn':
      return { tokens: clause.values.map((value) => valueToken(clause.key, value)), excludes: true }
  }
}

function keyToken(key: string): string {
  return JSON.stringify([key])
}

function valueToken(key: string, value: string): string {
  return JSON.stringify([key, value])
}
