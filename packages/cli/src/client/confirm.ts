// client/confirm.ts: asks a person before something happens to many. Whoever cannot be asked must have said yes before.
import { UsageError } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from '../arguments.ts'
import { switchValue } from './flag-values.ts'
import { plain } from './plain-text.ts'
import type { Session } from './session.ts'

export const yesFlag: FlagSpec = { kind: 'switch', short: 'y', summary: 'Do not ask before it happens.' }

/** Before any request: whether it has to be asked. */
export function mustAsk(parsed: ParsedArguments, { terminal }: Session): boolean {
  if (switchValue(parsed, 'yes')) return false
  if (terminal.isInteractive) return true
  throw new UsageError('Without a terminal nobody can be asked; pass --yes if all of them are meant.')
}

/** Only a clear yes is one. */
export async function isConfirmed(session: Session, question: string): Promise<boolean> {
  const { terminal, signal } = session
  terminal.stderr.write(`${plain(question)} [y/N] `)
  const answer = await firstLine(session.takeStdin(), signal)
  // The line of an answer that never came is still open.
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
    // What is read no more must not keep the process.
    void reading.return?.()
  }
}
