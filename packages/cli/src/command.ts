// command.ts: what a command of `pulseward` consists of: one file each, with its flags, its help and what it does.
import type { FlagSpec, ParsedArguments } from './arguments.ts'
import type { Terminal } from './terminal.ts'

export interface Command {
  readonly summary: string
  /** What follows `pulseward NAME`. */
  readonly usage: string
  readonly flags: Readonly<Record<string, FlagSpec>>
  readonly examples: readonly string[]
  /** What the first operand may be; shells complete it. */
  readonly firstWords?: readonly string[]
  /** Returns the exit code: 0 success, 1 the answer is "no". Everything else is a thrown error. */
  run(parsed: ParsedArguments, terminal: Terminal): Promise<number>
}
