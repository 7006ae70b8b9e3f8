// client/apply/file-mistakes.ts: what is wrong with resource files, line by line on stderr, with the exit code of the
// command that read them. Nothing was sent.
import { ResourceFileError } from '../files/mistake.ts'
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
    for (const { file, line, field, message } of error.mistakes)
      session.point(
        `${line === null ? file : `${file}:${line}`}: ${field === '' ? '' : `${field}: `}${message}${/[.?]$/.test(message) ? '' : '.'}`,
      )
    session.say(`${error.message}; nothing was sent.`)
    return exitCode
  }
}
