// scripts/mutate/swaps.ts: what a mutant puts in place of an operator, a method or a domain word. A word is
// swapped for one that fits in its place, so that the mutant is wrong and not merely broken.

export const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '&&': '||',
  '||': '&&',
}

export const methods: Readonly<Record<string, string>> = {
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  push: 'unshift',
  shift: 'pop',
  find: 'findLast',
}

/** Methods whose result can be replaced by the value that they were called on. */
export const skippableMethods: ReadonlySet<string> = new Set(['filter', 'toSorted', 'toReversed', 'slice'])

export const words: Readonly<Record<string, string>> = {
  red: 'green',
  green: 'red',
  yellow: 'green',
  cyan: 'gray',
  gray: 'cyan',
  up: 'down',
  down: 'up',
  incident: 'down',
  verifying: 'incident',
  degraded: 'up',
  success: 'failure',
  failure: 'success',
  timeout: 'failure',
  no_data: 'failure',
  own_fault: 'failure',
  accepted: 'rejected',
  rejected: 'accepted',
  retry: 'rejected',
  succeeded: 'failed',
  failed: 'succeeded',
  cancelled: 'superseded',
  superseded: 'cancelled',
  queued: 'started',
  started: 'queued',
  unknown: 'rejected',
  interrupted: 'failed',
  'in-trouble': 'clear',
  clear: 'in-trouble',
  'not-checked': 'clear',
  enabled: 'disabled',
  disabled: 'enabled',
  limited: 'dead',
  dead: 'limited',
  code: 'intervention',
  intervention: 'code',
}
