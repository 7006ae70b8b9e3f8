// store/selector.ts: which labels a selector matches; the only place in the service that decides it. The rules are those
// of kubectl: every clause must hold, and a clause that excludes values holds if the key is missing.
import type { v2 } from '@pulseward/contract'

export type Selector = v2.Selector
export type SelectorClause = v2.SelectorClause
export type Labels = Readonly<Record<string, string>>

export function matchesSelector(labels: Labels, selector: Selector): boolean {
  return selector.every((clause) => holds(labels, clause))
}

function holds(labels: Labels, clause: SelectorClause): boolean {
  // A key may be called `constructor` or `__proto__`.
  const value = Object.hasOwn(labels, clause.key) ? labels[clause.key] : undefined
  switch (clause.is) {
    case 'present':
      return value !== undefined
    case 'absent':
      return value === undefined
    case 'in':
      return value !== undefined && clause.values.includes(value)
    case 'notIn':
      return value === undefined || !clause.values.includes(value)
  }
}
