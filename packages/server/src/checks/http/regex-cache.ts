// checks/http/regex-cache.ts: compiled expressions by their source. Every run of a check gets a new
// configuration object, and compiling costs more than most searches.
import { LinearRegex } from '../../platform/linear-regex/linear-regex.ts'

const MAX_ENTRIES = 256

const compiled = new Map<string, LinearRegex>()

/** Throws RegexError, but never for a validated configuration. */
export function compiledRegex(source: string): LinearRegex {
  const known = compiled.get(source)
  if (known !== undefined) return known
  const regex = new LinearRegex(source)
  const [oldest] = compiled.keys()
  if (compiled.size >= MAX_ENTRIES && oldest !== undefined) compiled.delete(oldest)
  compiled.set(source, regex)
  return regex
}

/** Why an expression cannot be used, as a sentence; null if it can. */
export function regexProblem(source: string): string | null {
  try {
    new LinearRegex(source)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
