// status-writing/page-words.ts: prints the words that are the same on every status page, as the file that is to be translated.
import { statusPageTexts, UsageError } from '@pulseward/server'
import { stringify } from 'yaml'
import type { ParsedArguments } from '../arguments.ts'
import { inWords } from '../client/flag-values.ts'
import type { Session } from '../client/session.ts'

export async function printWords({ operands }: ParsedArguments, session: Session): Promise<number> {
  const [, language = 'en', unexpected] = operands
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
  const texts = Object.hasOwn(statusPageTexts, language) ? statusPageTexts[language] : undefined
  if (texts === undefined)
    throw new UsageError(
      `There are no words of "${language}" here, only of ${inWords(Object.keys(statusPageTexts))}.`,
    )
  session.print(stringify(texts, { lineWidth: 0 }).trimEnd())
  return 0
}
