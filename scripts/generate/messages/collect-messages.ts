// scripts/generate/messages/collect-messages.ts: the sentences that a source file can say to people, from its syntax
// tree. Sentences are built in many ways (thrown, logged, returned by a helper), so it takes every text that reads like
// one and excludes what is known to be something else: descriptions of options, examples, SQL, headers.
import { parseSync, Visitor } from 'vite'

export interface Message {
  /** The sentence, with … for inserted values. */
  readonly text: string
  /** Whether only a defect of the program can cause it. */
  readonly isDefect: boolean
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Members whose text describes an option, a flag or a command. */
const describing = new Set(['description', 'summary', 'help', 'needs', 'examples', 'usage', 'about'])
/** Calls that make a schema or a setting; their texts are descriptions. */
const schemaCalls = new Set(['Type', 'closed', 'oneOf', 'secret', 'field', 'setting'])
/** Thrown for what cannot happen. */
const defectErrors = new Set(['Error', 'RangeError', 'TypeError'])
const sql =
  /^\s*(SELECT|INSERT|REPLACE|CREATE|UPDATE|DELETE|PRAGMA|ALTER|WITH|DROP|BEGIN|FROM)\b|\b(AND|AS|WHERE|ORDER BY|LIMIT|VALUES|JOIN|NOT NULL)\b/
/** A thrown text counts as a sentence even if it is short. */
const fewestWords = { thrown: 2, elsewhere: 3 }

export function collectMessages(file: string, source: string): Message[] {
  const { program } = parseSync(file, source)
  const texts: (Span & { readonly text: string })[] = []
  const left: Span[] = []
  const defects: Span[] = []
  const thrown: Span[] = []
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') texts.push({ ...spanOf(node), text: node.value })
    },
    TemplateLiteral(node) {
      const text = node.quasis.map(({ value }) => value.cooked ?? value.raw).join('…')
      texts.push({ ...spanOf(node), text })
    },
    JSXText(node) {
      texts.push({ ...spanOf(node), text: tidy(node.value) })
    },
    Property(node) {
      const name = node.key.type === 'Identifier' ? node.key.name : ''
      if (describing.has(name)) left.push(spanOf(node))
    },
    CallExpression(node) {
      const { callee } = node
      const called = callee.type === 'MemberExpression' ? callee.object : callee
      if (called.type === 'Identifier' && schemaCalls.has(called.name)) left.push(spanOf(node))
    },
    ThrowStatement(node) {
      thrown.push(spanOf(node))
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && defectErrors.has(node.callee.name)) defects.push(spanOf(node))
    },
  }).visit(program)
  return texts
    .filter((one) => {
      const place = isIn(thrown, one) ? 'thrown' : 'elsewhere'
      return isSentence(one.text, fewestWords[place]) && !isIn(left, one)
    })
    .map((one) => ({ text: tidy(one.text), isDefect: isIn(defects, one) }))
}

function spanOf({ start, end }: Span): Span {
  return { start, end }
}

function isIn(spans: readonly Span[], { start, end }: Span): boolean {
  return spans.some((span) => span.start <= start && end <= span.end)
}

function isSentence(text: string, fewest: number): boolean {
  // Only single lines: a text of several lines is a file or a table that the program writes.
  if (text.trim().includes('\n') || sql.test(text) || /^(pulseward |#|\/\/|<)|\\s/.test(text)) return false
  const words = text.match(/(?<![\w/.=-])[A-Za-z]+(?![\w/=]|-\w)/g) ?? []
  return words.length >= fewest && /[a-z]{2}/.test(text)
}

function tidy(text: string): string {
  return text.replace(/[\s\0]+/g, ' ').trim()
}
