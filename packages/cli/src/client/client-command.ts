// client/client-command.ts: a command that talks to a service: the flags shared by all of them, and how they
// end when the service cannot be reached, refuses, or leaves a write ambiguous.
import { PulsewardError } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import type { ParsedArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { connectionFlags } from './connection.ts'
import { exitCodeOf } from './error-sentence.ts'
import { Session } from './session.ts'

export interface ClientCommand extends Omit<Command, 'run'> {
  /** The v2 operations that the command carries out; those of no command are for users of the library. */
  readonly operations?: readonly string[]
  /** The command that shows whether the write has happened. */
  lookAgain?(parsed: ParsedArguments): string
  run(parsed: ParsedArguments, session: Session): Promise<number>
}

export function clientCommand(command: ClientCommand): Command & Pick<ClientCommand, 'operations'> {
  return {
    ...command,
    flags: { ...command.flags, ...connectionFlags },
    run: (parsed, terminal) => inSession(command, parsed, terminal),
  }
}

/** For a command that talks to a service only if its flags say so. */
export async function inSession(
  { run, lookAgain }: Pick<ClientCommand, 'run' | 'lookAgain'>,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<number> {
  const session = await Session.open(parsed, terminal)
  try {
    return await run(parsed, session)
  } catch (error) {
    if (!(error instanceof PulsewardError)) throw error
    if (error.category === 'cancelled' && terminal.stdout.isClosed) return 0
    // The client itself refused it: nothing was sent, so the command line is wrong.
    if (error.category === 'invalidInput' && error.statusCode === 0)
      throw new UsageError(`${error.message.replace(/^\w+: /, '')}.`)
    session.sayError(error, lookAgain?.(parsed))
    return exitCodeOf(error)
  }
}
