// views/manage/form/option-references.ts: which options of a driver come from credentials. The references are
// beside the options, in credentialRefs, under the dotted path of each option.
import { type Json, type Path, valueAt } from '../json.ts'

/** Whether an option, or one below it, comes from a credential. */
export function isReferred(document: Json, driver: Path | undefined, path: Path): boolean {
  if (driver === undefined) return false
  const dotted = path.slice(driver.length + 1).join('.')
  const names = Object.keys(valueAt(document, [...driver, 'credentialRefs']) ?? {})
  return names.some((name) => name === dotted || name.startsWith(`${dotted}.`))
}

/** Members of a map whose values come only from a credential. */
export function referredBelow(document: Json, driver: Path | undefined, path: Path): readonly string[] {
  if (driver === undefined) return []
  const prefix = `${path.slice(driver.length + 1).join('.')}.`
  const names = Object.keys(valueAt(document, [...driver, 'credentialRefs']) ?? {})
  return names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
}
