// store/selector.ts: which labels a list asks for, as data. The rules are those that kubectl users know: every clause
// has to hold, and a clause that excludes values holds where the key is missing.
export type SelectorOperator = '=' | '!=' | 'exists' | 'absent' | 'in' | 'notin'

export interface SelectorClause {
  readonly key: string
  readonly op: SelectorOperator
  /** One value for `=` and `!=`, any number for `in` and `notin`, none otherwise. */
  readonly values: readonly string[]
}

/** Without clauses it selects everything. */
export type Selector = readonly SelectorClause[]

export type Labels = Readonly<Record<string, string>>

export function matchesSelector(labels: Labels, selector: Selector): boolean {
  return selector.every((clause) => holds(labels, clause))
}

function holds(labels: Labels, { key, op, values }: SelectorClause): boolean {
  // A key may be called `constructor` or `__proto__`.
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (op) {
    case 'exists':
      return value !== undefined
    case 'absent':
      return value === undefined
    case '=':
    case 'in':
      return value !== undefined && values.includes(value)
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value)
  }
}
