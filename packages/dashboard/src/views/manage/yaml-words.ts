// views/manage/yaml-words.ts: the library's messages about invalid YAML, in the words of this page: what is
// wrong, and what to do. Messages that are plain enough are kept.
const sentences: readonly (readonly [message: RegExp, sentence: string])[] = [
  [
    /^Nested mappings are not allowed/,
    'There is a name inside a value here. Check the indentation, or put text that contains a colon in quotes.',
  ],
  [/^Implicit map keys need to be followed/, 'A colon and a space are missing after this name.'],
  [/^Implicit keys/, 'A name and its colon must be on one line.'],
  [/^Flow (?:map|sequence) .*end with/, 'A { or [ is not closed, or its content is not indented enough.'],
  [
    /^Block collections are not allowed/,
    'A comma is missing here, or brackets contain lines that are only indented.',
  ],
  [/^Unexpected /, 'This does not fit in here. Check the indentation, the quotes and the brackets above it.'],
  [/^Tabs are not allowed/, 'A tab cannot indent. Use spaces.'],
]
const mostCharacters = 200

export function sentenceOf(message: string): string {
  const [, sentence] = sentences.find(([pattern]) => pattern.test(message)) ?? []
  if (sentence !== undefined) return sentence
  // Some messages quote the text, which may be long.
  return message.length > mostCharacters ? `${message.slice(0, mostCharacters)}…` : `${message}.`
}
