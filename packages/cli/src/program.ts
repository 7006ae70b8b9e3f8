// program.ts: finds the command, runs it, and turns an error into one sentence on stderr and an exit code: 0
// success, 1 the answer is "no", 2 usage, 3 the service or its store is unreachable, or refused.
import { FleetFileError, nearestName, SourceError, StoreError, UsageError } from '@pulseward/server'
import packageJson from '../package.json' with { type: 'json' }
import { parseArguments } from './arguments.ts'
import { commandNames, loadCommand, loadGroups } from './commands.ts'
import { commandHelp, overallHelp } from './help.ts'
import type { Terminal } from './terminal.ts'

export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(words, terminal)
  } catch (error) {
    return explain(error, terminal)
  }
}

async function dispatch([name, ...words]: readonly string[], terminal: Terminal): Promise<number> {
  const print = (text: string) => terminal.stdout.write(`${text}\n`)
  if (name === 'help' && words[0] !== undefined) return dispatch([words[0], '--help'], terminal)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    print(overallHelp(await loadGroups()))
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === 'version') {
    print(packageJson.version)
    return 0
  }
  const command = await loadCommand(name)
  if (command === undefined) {
    const nearest = nearestName(name, commandNames)
    throw new UsageError(
      `There is no command "${name}".${nearest === null ? ' See pulseward --help.' : ` Did you mean ${nearest}?`}`,
    )
  }
  if (asksForHelp(words)) {
    print(commandHelp(name, command))
    return 0
  }
  return command.run(parseArguments(words, command.flags), terminal)
}

/** After -- everything is an operand. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const flags = end === -1 ? words : words.slice(0, end)
  return flags.includes('--help') || flags.includes('-h')
}

function explain(error: unknown, { stderr }: Terminal): number {
  if (error instanceof FleetFileError) {
    for (const { file, line, path, message } of error.mistakes) {
      stderr.write(`${file}:${line}: ${path === '' ? '' : `${path}: `}${message}\n`)
    }
    stderr.write(`pulseward: ${error.message}; nothing was started.\n`)
    return 1
  }
  if (error instanceof UsageError || error instanceof SourceError || error instanceof StoreError) {
    stderr.write(`pulseward: ${error.message}\n`)
    return error instanceof StoreError && error.isAway ? 3 : 2
  }
  stderr.write(
    `pulseward: something went wrong inside: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  return 2
}
