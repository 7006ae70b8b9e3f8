// views/manage/yaml-text.ts: the document as the YAML that people read and type. It is parsed strictly, in
// bounded time, with the line of each value, so that a mistake can be shown there. JSON is YAML too.
import { v2 } from '@pulseward/contract'
import { yamlSentence } from '@pulseward/contract/yaml-words'
import { Composer, Document, LineCounter, Scalar, visit } from 'yaml'
import type { Json } from './json.ts'
import { plainTokens, YamlMistake } from './yaml-tokens.ts'
import { YamlValue } from './yaml-value.ts'

export type ReadText =
  | { readonly isRead: true; readonly value: Json; readonly lineOf: (pointer: string) => number }
  /** Lines count from 1. */
  | { readonly isRead: false; readonly line: number; readonly message: string }

export function readYamlText(text: string): ReadText {
  if (new Blob([text]).size > v2.limits.bodyBytes)
    return {
      isRead: false,
      line: 1,
      message: 'The document is larger than 1 MiB, which is the most that is accepted.',
    }
  const lines = new LineCounter()
  try {
    const read = parsed(text, lines)
    return { isRead: true, value: read.value, lineOf: (pointer) => read.lineOf(pointer) }
  } catch (error) {
    if (!(error instanceof YamlMistake)) throw error
    // An unclosed construct is noticed after the end, where there is no line.
    const offset = Math.min(error.offset, Math.max(0, text.trimEnd().length - 1))
    return { isRead: false, line: lines.linePos(offset).line || 1, message: error.message }
  }
}

/** Invisible characters that change the direction of others, break a line or start a file. */
const unseen = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

/** Keeps the order of the document. Text that YAML 1.1 would read as another type is quoted too. */
export function writeYamlText(value: Json): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  visit(document, {
    Scalar(key, node) {
      // A text that is the whole document has no key; the library could not read it back as a block.
      if (typeof node.value === 'string' && (key === null || unseen.test(node.value)))
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return (
    document
      .toString({ blockQuote: 'literal', doubleQuotedAsJSON: true, lineWidth: 0 })
      // They occur only in double quotes, where they can be escaped.
      .replaceAll(new RegExp(unseen, 'g'), (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  )
}

function parsed(text: string, lines: LineCounter): YamlValue {
  // YamlValue finds duplicate names: the library would compare each with all others.
  const composer = new Composer({ merge: false, schema: 'core', uniqueKeys: false })
  const [document] = [...composer.compose(plainTokens(text, lines), true, text.length)]
  const { contents = null, errors = [] } = document ?? {}
  const [first] = errors.toSorted((one, other) => one.pos[0] - other.pos[0])
  if (first !== undefined) throw new YamlMistake(first.pos[0], yamlSentence(first.message))
  if (contents === null || contents.range[0] === contents.range[1])
    throw new YamlMistake(0, 'The document is empty.')
  return new YamlValue(contents, lines)
}
