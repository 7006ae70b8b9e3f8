// client/apply/file-mistakes.ts: prints the mistakes in resource files to stderr, one per line, and gives the
// exit code of the command that read them. Nothing has been sent.
import { lineOf, ResourceFileError } from '../files/mistake.ts'
import type { Session } from '../session.ts'

export async function orMistakes(
  session: Session,
  exitCode: number,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ResourceFileError)) throw error
    for (const mistake of error.mistakes) session.point(lineOf(mistake))
    session.say(`${error.message}; nothing was sent.`)
    return exitCode
  }
}
