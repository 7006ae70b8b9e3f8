// views/manage/draft.ts: the one document that the form and the text both show. Text that cannot be read stays as it was
// typed: the form then rests, so that it cannot overwrite it.
import type { Json } from './json.ts'
import { type ReadText, readYamlText, writeYamlText } from './yaml-text.ts'

export interface Draft {
  readonly text: string
  readonly read: ReadText
  /** What could be read last. */
  readonly document: Json
}

export function draftOf(document: Json): Draft {
  const text = writeYamlText(document)
  return { text, read: readYamlText(text), document }
}

export function withText(draft: Draft, text: string): Draft {
  const read = readYamlText(text)
  return { text, read, document: read.isRead ? read.value : draft.document }
}
