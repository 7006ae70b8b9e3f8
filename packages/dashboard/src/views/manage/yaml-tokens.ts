// views/manage/yaml-tokens.ts: tokenizes YAML text, and refuses anything but plain data at the first token,
// before a value is built: anchors and aliases (a few lines of which can stand for gigabytes), tags,
// directives, further documents, and text nested too deep or with too many parts to be parsed during typing.
import { v2 } from '@pulseward/contract'
import { yamlSentence } from '@pulseward/contract/yaml-words'
import { CST, Lexer, type LineCounter, Parser } from 'yaml'

/** About 25,000 fields, and half a second. */
const mostTokens = 200_000

/** What is wrong with a text, and where. */
export class YamlMistake extends Error {
  readonly offset: number
  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

export const tooDeep = `The document is nested deeper than ${v2.limits.bodyDepth} levels.`

const refused: Partial<Readonly<Record<CST.TokenType, string>>> = {
  anchor: 'Anchors (&) are not accepted. Write each value out where it is used.',
  alias: 'Aliases (*) are not accepted. Write the value out, or put a text that begins with * in quotes.',
  tag: 'Tags (!) are not accepted. Put a text that begins with ! in quotes.',
  'directive-line': 'Directives (%) are not accepted. Put a text that begins with % in quotes.',
}
const layout: ReadonlySet<CST.TokenType | null> = new Set([
  'byte-order-mark',
  'doc-mode',
  'space',
  'newline',
  'comment',
])

export function* plainTokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine)
  const documents = new DocumentCount()
  let count = 0
  /** After this mark everything is content, whatever it looks like. */
  let isMarked = false
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser
    if (++count > mostTokens)
      throw new YamlMistake(
        offset,
        'The document has too many parts to be edited here. Use the command pulseward apply for it.',
      )
    const type = isMarked ? 'scalar' : CST.tokenType(lexeme)
    isMarked = !isMarked && lexeme === CST.SCALAR
    const reason = type === null ? undefined : refused[type]
    if (reason !== undefined) throw new YamlMistake(offset, reason)
    if (isUnclosed(lexeme, type)) throw new YamlMistake(offset, 'The quote that opens here is never closed.')
    if (type === 'double-quoted-scalar') refuseBadEscape(lexeme, offset)
    if (!layout.has(type)) documents.take(type, offset)
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') throw new YamlMistake(token.offset, yamlSentence(token.message))
      yield token
    }
    if (isTooDeep(parser.stack)) throw new YamlMistake(offset, tooDeep)
  }
  yield* parser.end()
}

class DocumentCount {
  #isBegun = false
  #isEnded = false

  take(type: CST.TokenType | null, offset: number): void {
    if (type === 'doc-end') {
      this.#isEnded = true
      return
    }
    if (this.#isEnded || (type === 'doc-start' && this.#isBegun))
      throw new YamlMistake(offset, 'A second document begins here. Only one can be edited at a time.')
    this.#isBegun = true
  }
}

/** The parser would report it only at the end of the text, which may be far below. */
function isUnclosed(lexeme: string, type: CST.TokenType | null): boolean {
  if (type === 'single-quoted-scalar') return lexeme.length < 2 || !lexeme.endsWith("'")
  if (type !== 'double-quoted-scalar') return false
  if (lexeme.length < 2 || !lexeme.endsWith('"')) return true
  let backslashes = 0
  while (lexeme[lexeme.length - 2 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

const escapes =
  /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}|["\\/0abefnNrtv_LP \t\r\n]|)/g

/** The library creates an error for each, and a hostile text may contain half a million. */
function refuseBadEscape(lexeme: string, offset: number): void {
  for (const { 1: meant, index } of lexeme.matchAll(escapes))
    if (meant === '')
      throw new YamlMistake(offset + index, 'This \\ is not a valid escape. Write \\\\ for a backslash.')
}

function isTooDeep(stack: readonly CST.Token[]): boolean {
  const { bodyDepth } = v2.limits
  return stack.length > bodyDepth && stack.filter(CST.isCollection).length > bodyDepth
}
