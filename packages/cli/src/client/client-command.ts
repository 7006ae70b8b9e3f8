// client/client-command.ts: a command that talks to a service: the flags of every such command, and how it ends when the
// service cannot be reached, refuses, or leaves a write in doubt.
import { PulsewardError } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import type { ParsedArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { connectionFlags } from './connection.ts'
import { exitCodeOf } from './error-sentence.ts'
import { Session } from './session.ts'

export interface ClientCommand extends Omit<Command, 'run'> {
  /** Operations of v2 that it carries out; what no command has is for users of the library. */
  readonly operations?: readonly string[]
  /** The command that shows whether its write has happened. */
  lookAgain?(parsed: ParsedArguments): string
  run(parsed: ParsedArguments, session: Session): Promise<number>
}

export function clientCommand(command: ClientCommand): Command & Pick<ClientCommand, 'operations'> {
  return {
    ...command,
    flags: { ...command.flags, ...connectionFlags },
    async run(parsed, terminal) {
      const session = await Session.open(parsed, terminal)
      try {
        return await command.run(parsed, session)
      } catch (error) {
        if (!(error instanceof PulsewardError)) throw error
        if (error.category === 'cancelled' && terminal.stdout.isClosed) return 0
        // Refused by the client already: nothing was sent, so it is the command line that is wrong.
        if (error.category === 'invalidInput' && error.statusCode === 0)
          throw new UsageError(`${error.message.replace(/^\w+: /, '')}.`)
        session.sayError(error, command.lookAgain?.(parsed))
        return exitCodeOf(error)
      }
    },
  }
}
