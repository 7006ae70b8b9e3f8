// scripts/mutate/mutants.ts: every small defect that could be planted in a source file, from its syntax tree. The same
// text gives the same mutants in the same order. Types are not mutated, since they do not exist at run time.
import { parseSync, Visitor } from 'vite'
import { methods, operators, skippableMethods, words } from './swaps.ts'

export interface Mutant {
  /** Path from the root. */
  readonly file: string
  readonly line: number
  /** The trimmed line: it still identifies the mutant when lines move. */
  readonly lineText: string
  /** What was changed, on one line: `< becomes <=`. */
  readonly change: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

type Edit = Pick<Mutant, 'start' | 'end' | 'replacement' | 'change'>
interface Span {
  readonly start: number
  readonly end: number
}

export function mutantsOf(file: string, text: string): Mutant[] {
  const { program } = parseSync(file, text)
  const edits: Edit[] = []
  const untouchable: Span[] = []
  new Visitor(visitorFor(text, edits, untouchable)).visit(program)
  const isTouchable = ({ start, end }: Span) =>
    !untouchable.some((span) => span.start <= start && end <= span.end)
  return edits
    .filter((edit) => isTouchable(edit) && isValid(file, apply(text, edit)))
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map((edit) => ({ file, ...placeOf(text, edit.start), ...edit }))
}

export function apply(text: string, { start, end, replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** Code with a syntax error fails every test and proves nothing. */
function isValid(file: string, text: string): boolean {
  return parseSync(file, text).errors.length === 0
}

function placeOf(text: string, start: number): Pick<Mutant, 'line' | 'lineText'> {
  const line = text.slice(0, start).split('\n').length
  return { line, lineText: text.split('\n')[line - 1]!.trim() }
}

function visitorFor(
  text: string,
  edits: Edit[],
  untouchable: Span[],
): ConstructorParameters<typeof Visitor>[0] {
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  const replace = (span: Span, replacement: string, change?: string) => {
    const { start, end } = span
    const words = change ?? `${short(textOf(span))} becomes ${short(replacement)}`
    edits.push({ start, end, replacement, change: words })
  }
  const remove = (span: Span) => replace(span, ';', `${short(textOf(span))} is left out`)
  const negate = (test: Span & { readonly type: string; readonly operator?: string }) => {
    const isSwappedAnyway = test.operator !== undefined && /^([!=]==|!|&&|\|\||[<>]=?)$/.test(test.operator)
    if (!isSwappedAnyway) replace(test, `!(${textOf(test)})`)
  }
  const swapOperator = (left: Span, right: Span, operator: string) => {
    const swapped = operators[operator]
    if (swapped === undefined) return
    const start = left.end + text.slice(left.end, right.start).indexOf(operator)
    replace({ start, end: start + operator.length }, swapped, inContext(left, operator, swapped, right))
  }
  const inContext = (left: Span, from: string, to: string, right: Span) =>
    `${from} becomes ${to} in ${short(`${textOf(left)} ${from} ${textOf(right)}`)}`
  const untouch = (span: Span) => void untouchable.push(span)

  return {
    TSTypeAliasDeclaration: untouch,
    TSInterfaceDeclaration: untouch,
    TSLiteralType: untouch,
    TSEnumDeclaration: untouch,
    ImportDeclaration: untouch,
    ExportAllDeclaration: untouch,
    Property: ({ key, computed }) => (computed ? undefined : untouch(key)),
    BinaryExpression({ left, right, operator }) {
      // Strings can be added but not subtracted.
      const isText = operator === '+' && [left, right].some((side) => /^['"`]/.test(textOf(side)))
      if (!isText) swapOperator(left, right, operator)
    },
    AssignmentExpression: ({ left, right, operator }) => swapOperator(left, right, operator),
    LogicalExpression(node) {
      const { left, right, operator } = node
      swapOperator(left, right, operator)
      if (operator !== '??') return
      if (!/^(null|undefined)$/.test(textOf(right))) replace(node, `(${textOf(left)})`)
      replace(node, `(${textOf(right)})`)
    },
    UnaryExpression(node) {
      if (node.operator === '!') replace(node, textOf(node.argument))
    },
    UpdateExpression(node) {
      const swapped = node.operator === '++' ? '--' : '++'
      replace(node, textOf(node).replace(node.operator, swapped))
    },
    ConditionalExpression: ({ test }) => negate(test),
    IfStatement(node) {
      negate(node.test)
      if (node.alternate === null && leaves(node.consequent)) remove(node)
    },
    ExpressionStatement(node) {
      const { expression } = node
      const isSuper = expression.type === 'CallExpression' && expression.callee.type === 'Super'
      if (hasEffect(expression.type) && !isSuper) remove(node)
    },
    MemberExpression(node) {
      if (node.optional) replaceOptional(node.object, node.computed ? '' : '.', node.property)
      const name = node.property.type === 'Identifier' ? node.property.name : ''
      if (!node.computed && Object.hasOwn(methods, name))
        replace(node.property, methods[name]!, `${name} becomes ${methods[name]} in ${short(textOf(node))}`)
    },
    CallExpression(node) {
      const { callee } = node
      if (node.optional) replace(node, textOf(node).replace('?.(', '('))
      if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
        return
      if (skippableMethods.has(callee.property.name))
        replace({ start: callee.object.end, end: node.end }, '', `${short(textOf(node))} is not called`)
    },
    Literal(node) {
      const { value } = node
      if (typeof value === 'boolean') replace(node, String(!value), `${value} becomes ${!value}`)
      else if (typeof value === 'number') replace(node, otherNumber(value))
      else if (typeof value === 'string' && Object.hasOwn(words, value)) replace(node, `'${words[value]}'`)
    },
  }

  function replaceOptional(object: Span, link: string, property: Span): void {
    const length = text.slice(object.end, property.start).indexOf('?.') + 2
    replace(
      { start: object.end, end: object.end + length },
      link,
      `?. becomes ${link || 'nothing'} after ${short(textOf(object))}`,
    )
  }
}

/** One more for a count; twice as much for an amount, where one more would have no visible effect. */
function otherNumber(value: number): string {
  if (value === 1) return '0'
  return String(value < 20 ? value + 1 : value * 2)
}

function hasEffect(type: string): boolean {
  return ['CallExpression', 'AwaitExpression', 'AssignmentExpression', 'ChainExpression'].includes(type)
}

interface Statement {
  readonly type: string
  readonly body?: unknown
}

/** Whether nothing after it runs: a return, a continue or a break, alone or in a block. */
function leaves(statement: Statement): boolean {
  if (/^(Return|Continue|Break)Statement$/.test(statement.type)) return true
  const body = Array.isArray(statement.body) ? (statement.body as Statement[]) : []
  return statement.type === 'BlockStatement' && body.length === 1 && leaves(body[0]!)
}

function short(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 67)}…` : line
}
