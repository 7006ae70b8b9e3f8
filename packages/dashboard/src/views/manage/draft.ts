// views/manage/draft.ts: the document that the form and the text share. Text that cannot be parsed stays as
// typed; the form is disabled meanwhile, so that it cannot overwrite it.
import type { Json } from './json.ts'
import { type ReadText, readYamlText, writeYamlText } from './yaml-text.ts'

export interface Draft {
  readonly text: string
  readonly read: ReadText
  /** The last document that could be parsed. */
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
