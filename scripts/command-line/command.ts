// scripts/command-line/command.ts: how every script reads its command line: one table of flags gives the
// values, the --help text and the error messages. --help prints to stdout, exits with 0 and starts nothing; a
// wrong argument exits with 2 before anything is started.
import { parseArgs } from 'node:util'
import { type Flag, type FlagTable, type FlagValues, UsageError } from './flags.ts'

export interface Command<Table extends FlagTable> {
  /** As typed before the flags: `npm run crash --`. */
  readonly call: string
  readonly about: string
  readonly flags: Table
  /** Positional arguments, for scripts that take some. */
  readonly words?: { readonly usage: string; readonly least: number; readonly most: number }
}

export type CommandLine<Table extends FlagTable> =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'wrong'; readonly sentence: string }
  | { readonly kind: 'run'; readonly values: FlagValues<Table>; readonly words: readonly string[] }

type Run<Table extends FlagTable> = (
  values: FlagValues<Table>,
  words: readonly string[],
) => void | Promise<void>

/** Reads the command line and runs the script, or prints why not. The script sets its own exit code when it fails. */
export async function runCommand<Table extends FlagTable>(
  command: Command<Table>,
  run: Run<Table>,
  typed: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const line = readCommandLine(command, typed)
  if (line.kind === 'help') process.stdout.write(line.text)
  else if (line.kind === 'wrong') refuse(line.sentence)
  else {
    try {
      await run(line.values, line.words)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      refuse(error.message)
    }
  }
}

export function refuse(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 2
}

export function readCommandLine<Table extends FlagTable>(
  command: Command<Table>,
  typed: readonly string[],
): CommandLine<Table> {
  try {
    const { values, positionals } = parse(command, typed)
    if (values['help'] === true) return { kind: 'help', text: helpOf(command) }
    const { least = 0, most = 0, usage = '' } = command.words ?? {}
    if (positionals.length < least || positionals.length > most)
      throw new UsageError(`${command.call} needs ${usage}. ${seeHelp}`)
    const entries = Object.entries(command.flags).map(([name, flag]) => [
      name,
      readFlag(flag, values[name], name),
    ])
    return { kind: 'run', values: Object.fromEntries(entries), words: positionals }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { kind: 'wrong', sentence: error.message }
  }
}

const seeHelp = 'Run it with --help to see every flag.'

function parse({ flags, words }: Command<FlagTable>, typed: readonly string[]) {
  const options = Object.entries(flags).map(
    ([name, { placeholder }]) =>
      [name, { type: placeholder === null ? 'boolean' : 'string', multiple: placeholder !== null }] as const,
  )
  try {
    const { values, positionals } = parseArgs({
      args: [...typed],
      options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
      allowPositionals: words !== undefined,
    })
    return { values: values as Readonly<Record<string, Parsed>>, positionals }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error
    // Node.js adds advice about positional arguments, which does not apply here.
    throw new UsageError(`${message.split(/[.\n]/)[0]}. ${seeHelp}`)
  }
}

type Parsed = string | boolean | (string | boolean)[] | undefined

function readFlag(flag: Flag<unknown>, parsed: Parsed, name: string): unknown {
  if (parsed === undefined) return flag.fallback
  return flag.read(Array.isArray(parsed) ? parsed.map(String) : [String(parsed)], name)
}

function helpOf({ call, about, flags, words }: Command<FlagTable>): string {
  const rows = Object.entries(flags).map(([name, { placeholder, about, defaultText }]): [string, string] => [
    `--${name}${placeholder === null ? '' : ` ${placeholder}`}`,
    `${about}${defaultText === null ? '' : ` (default ${defaultText})`}`,
  ])
  rows.push(['--help', 'print this and end'])
  const width = Math.max(...rows.map(([flag]) => flag.length))
  const flagUsage = rows.length > 1 ? '[--flag value]…' : '[--help]'
  const usage = [call, words?.usage, flagUsage].filter((part) => part !== undefined).join(' ')
  const lines = rows.map(([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning}`)
  return `Usage: ${usage}\n\n${about}\n\n${lines.join('\n')}\n`
}
