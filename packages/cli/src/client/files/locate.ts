// client/files/locate.ts: gives the mistakes of a document their lines. Slow, and run only when there is something to
// complain about.
import { YamlPlaces } from '@pulseward/server'
import type { SourceDocument } from './documents.ts'
import { fieldOf, type LocatedMistake, type Mistake } from './mistake.ts'

export function locate(
  { file, line, text, isJsonLine }: SourceDocument,
  mistakes: readonly Mistake[],
): LocatedMistake[] {
  const places = isJsonLine ? null : new YamlPlaces(text)
  return mistakes.map(({ path, message, isKey }) => ({
    file,
    line: places === null ? line : line + places.lineOf(path, isKey ?? false) - 1,
    field: fieldOf(path),
    message,
  }))
}
