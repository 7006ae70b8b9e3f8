// client/confirm.ts: asks the user before something happens to many. Where there is no terminal to ask
// on, `--yes` is required.
import { UsageError } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from '../arguments.ts'
import { switchValue } from './flag-values.ts'
import { plain } from './plain-text.ts'
import type { Session } from './session.ts'

export const yesFlag: FlagSpec = { kind: 'switch', short: 'y', summary: 'Do not ask for confirmation.' }

/** Whether to ask; called before any request. */
export function mustAsk(parsed: ParsedArguments, { terminal }: Session): boolean {
  if (switchValue(parsed, 'yes')) return false
  if (terminal.isInteractive) return true
  throw new UsageError('There is no terminal to confirm on; pass --yes to change all of them.')
}

/** Anything but a clear yes is a no. */
export async function isConfirmed(session: Session, question: string): Promise<boolean> {
  const { terminal, signal } = session
  terminal.stderr.write(`${plain(question)} [y/N] `)
  const answer = await firstLine(session.takeStdin(), signal)
  // Ends the line of the prompt, since no answer did.
  if (answer === null) terminal.stderr.write('\n')
  return /^\s*y(es)?\s*$/i.test(answer ?? '')
}

async function firstLine(stdin: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string | null> {
  const stopped = Promise.withResolvers<null>()
  const stop = () => stopped.resolve(null)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const reading = stdin[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  try {
    for (let text = ''; ; ) {
      const read = await Promise.race([reading.next(), stopped.promise])
      if (read === null || read.done) return text === '' ? null : text
      text += decoder.decode(read.value, { stream: true })
      const end = text.indexOf('\n')
      if (end !== -1) return text.slice(0, end)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // An abandoned read must not keep the process alive.
    void reading.return?.()
  }
}
