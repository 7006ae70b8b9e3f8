// client/files/locate.ts: finds the lines of the mistakes in a document. Slow, so it runs only when
// there are mistakes to report.
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
