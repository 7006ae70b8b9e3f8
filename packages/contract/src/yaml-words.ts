// yaml-words.ts: what the YAML library says about invalid text, in our words: what is wrong, and what to do. Files, the
// command and the editor of the page say the same. Messages that are plain enough are kept.
const sentences: readonly (readonly [message: RegExp, sentence: string])[] = [
  [
    /^Nested mappings are not allowed/,
    'There is a name inside a value here. Check the indentation of this line and the next, or put text that contains a colon in quotes.',
  ],
  [
    /^Sequence item without - indicator/,
    'This line is indented less than the item that it belongs to. Indent it like the lines above it, or begin it with "- " if it is an item of the list.',
  ],
  [
    /^All (?:mapping|sequence) items must start at the same column/,
    'This line does not begin where the lines beside it begin. Indent it like them, or begin it with "- " if it is a new item.',
  ],
  [
    /^A block sequence may not be used as/,
    'A list item follows a name and its value here. Put the list under a name of its own, or remove the "- ".',
  ],
  [/^Implicit map keys need to be followed/, 'A colon and a space are missing after this name.'],
  [
    /^Implicit keys/,
    'A colon and a space are missing after a name here, or a name goes on over the next line.',
  ],
  [
    /^Flow (?:map|sequence) .*end with/,
    'A { or [ is not closed, or its content is not indented enough. Close it, or write its content on one line.',
  ],
  [/^Missing , /, 'A comma is missing here between two entries.'],
  [
    /^Block collections are not allowed/,
    'A comma is missing here, or brackets contain lines that are only indented.',
  ],
  [/^Missing closing "/, 'A text in double quotes is not closed. Add the missing ".'],
  [/^Missing closing '/, "A text in single quotes is not closed. Add the missing '."],
  [/^Plain value cannot start with/, 'A value cannot begin with this character. Put it in quotes.'],
  [
    /^Invalid escape sequence/,
    'A backslash in double quotes begins an escape, and this is none. Write \\\\, or use single quotes.',
  ],
  [/^Unexpected /, 'This does not fit in here. Check the indentation, the quotes and the brackets above it.'],
  [/^Tabs are not allowed/, 'A tab cannot indent. Use spaces.'],
]
const mostCharacters = 200

/** A whole sentence. */
export function yamlSentence(message: string): string {
  const [, sentence] = sentences.find(([pattern]) => pattern.test(message)) ?? []
  if (sentence !== undefined) return sentence
  const plain = message.replace(/\s+/g, ' ').replace(/\.?$/, '')
  // Some messages quote the text, which may be long.
  return plain.length > mostCharacters ? `${plain.slice(0, mostCharacters)}…` : `${plain}.`
}
