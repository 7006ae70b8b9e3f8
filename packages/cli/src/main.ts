// main.ts: the `pulseward` command. Finds the command, runs it, and turns what went wrong into one sentence on
// stderr and an exit code: 0 fine, 1 the answer is "no", 2 usage, 3 could not reach or was refused.
import { FleetFileError, nearestName, SourceError, StoreError, UsageError } from '@pulseward/server'
import packageJson from '../package.json' with { type: 'json' }
import { parseArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { backup } from './commands/backup.ts'
import { check } from './commands/check.ts'
import { demo } from './commands/demo.ts'
import { drivers } from './commands/drivers.ts'
import { restore } from './commands/restore.ts'
import { serve } from './commands/serve.ts'
import { settings } from './commands/settings.ts'
import { testNotification } from './commands/test-notification.ts'
import { validate } from './commands/validate.ts'
import { verify } from './commands/verify.ts'
import { commandHelp, overallHelp } from './help.ts'

const commands: Readonly<Record<string, Command>> = {
  serve,
  demo,
  validate,
  check,
  'test-notification': testNotification,
  drivers,
  settings,
  backup,
  verify,
  restore,
}

async function run([name, ...words]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(overallHelp(commands))
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === 'version') {
    console.log(packageJson.version)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const nearest = nearestName(name, Object.keys(commands))
    throw new UsageError(
      `There is no command "${name}".${nearest === null ? ' See pulseward --help.' : ` Did you mean ${nearest}?`}`,
    )
  }
  if (words.includes('--help') || words.includes('-h')) {
    console.log(commandHelp(name, command))
    return 0
  }
  return command.run(parseArguments(words, command.flags))
}

function explain(error: unknown): number {
  if (error instanceof FleetFileError) {
    for (const { file, line, path, message } of error.mistakes) {
      process.stderr.write(`${file}:${line}: ${path === '' ? '' : `${path}: `}${message}\n`)
    }
    process.stderr.write(`pulseward: ${error.message}; nothing was started.\n`)
    return 1
  }
  if (error instanceof UsageError || error instanceof SourceError || error instanceof StoreError) {
    process.stderr.write(`pulseward: ${error.message}\n`)
    return 2
  }
  process.stderr.write(
    `pulseward: something went wrong inside: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  return 2
}

process.exitCode = await run(process.argv.slice(2)).catch(explain)
