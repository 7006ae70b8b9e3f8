// v2/selector.ts: parses the selector of a list: clauses over labels that must all hold. A clause that excludes values
// (!=, notin) also selects what has no such label, as in kubectl. The store evaluates the selector.
import { limits } from './limits.ts'
import { labelKeyPattern } from './wire/resource.ts'

export type SelectorClause =
  | { readonly key: string; readonly is: 'present' | 'absent' }
  | { readonly key: string; readonly is: 'in' | 'notIn'; readonly values: readonly string[] }

/** Without clauses it selects everything. */
export type Selector = readonly SelectorClause[]

const key = labelKeyPattern.slice(1, -1)
const value = '[^,()=\\u0000-\\u001f\\u007f]'
const existence = new RegExp(`^(!?)\\s*(${key})$`, 'u')
const equality = new RegExp(`^(${key})\\s*(!?)=\\s*(${value}*)$`, 'u')
const membership = new RegExp(`^(${key})\\s+(not)?in\\s*\\((${value}+(?:,${value}+)*)\\)$`, 'u')

/** A mistake is the rest of a sentence about the selector. */
export function parseSelector(text: string): { readonly selector: Selector } | { readonly mistake: string } {
  if (text.trim() === '') return { selector: [] }
  if (new TextEncoder().encode(text).length > limits.selectorBytes)
    return { mistake: `has more than ${limits.selectorBytes} bytes` }
  // Commas between parentheses belong to a list of values.
  const parts = text.split(/,(?![^(]*\))/)
  if (parts.length > limits.selectorClauses)
    return { mistake: `has ${parts.length} clauses; at most ${limits.selectorClauses} are allowed` }
  const clauses: SelectorClause[] = []
  for (const [index, part] of parts.entries()) {
    const clause = parseClause(part.trim())
    if (clause === null) return { mistake: `has no clause at place ${index + 1}; ${clauseForms}` }
    clauses.push(clause)
  }
  return { selector: clauses }
}

const clauseForms = 'write key=value, key!=value, key, !key, key in (a,b) or key notin (a,b)'

function parseClause(text: string): SelectorClause | null {
  const [, not, existing] = existence.exec(text) ?? []
  if (existing !== undefined) return { key: existing, is: not === '!' ? 'absent' : 'present' }
  const [, compared, unequal, only = ''] = equality.exec(text) ?? []
  if (compared !== undefined)
    return { key: compared, is: unequal === '!' ? 'notIn' : 'in', values: [only.trim()] }
  const [, member, notIn, list = ''] = membership.exec(text) ?? []
  if (member === undefined) return null
  const values = list.split(',').map((one) => one.trim())
  return values.includes('') ? null : { key: member, is: notIn === undefined ? 'in' : 'notIn', values }
}

/** Selectors with the same clauses have the same text, however they were written. */
export function selectorText(selector: Selector): string {
  return [...new Set(selector.map(clauseText))].sort().join(',')
}

function clauseText(clause: SelectorClause): string {
  switch (clause.is) {
    case 'present':
      return clause.key
    case 'absent':
      return `!${clause.key}`
    default: {
      const values = [...new Set(clause.values)].sort()
      if (values.length === 1) return `${clause.key}${clause.is === 'in' ? '=' : '!='}${values[0]}`
      return `${clause.key} ${clause.is === 'in' ? 'in' : 'notin'} (${values.join(',')})`
    }
  }
}
