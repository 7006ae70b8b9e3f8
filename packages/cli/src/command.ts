// command.ts: what a command of `pulseward` is: one file each, with its flags, its help and what it does.
import type { FlagSpec, ParsedArguments } from './arguments.ts'
import type { Terminal } from './terminal.ts'

export interface Command {
  readonly summary: string
  /** Behind `pulseward NAME`. */
  readonly usage: string
  readonly flags: Readonly<Record<string, FlagSpec>>
  readonly examples: readonly string[]
  /** Words that the first operand may be; shells complete them. */
  readonly firstWords?: readonly string[]
  /** Answers with the exit code: 0 fine, 1 the answer is "no". Other ends are errors that are thrown. */
  run(parsed: ParsedArguments, terminal: Terminal): Promise<number>
}
