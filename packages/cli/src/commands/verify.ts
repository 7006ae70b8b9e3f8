// commands/verify.ts: says whether a store, or a backup of one, is intact.
import { counted, dataDirectory, UsageError, verifyStore } from '@pulseward/server'
import { lastValue } from '../arguments.ts'
import type { Command } from '../command.ts'
import { dataDirectoryFrom, dataFlags, printProblems, refusePostgres } from '../data-flag.ts'

export const verify: Command = {
  summary: 'check a store or a backup from end to end',
  usage: '--data DIR | FILE',
  flags: dataFlags,
  examples: ['pulseward verify --data ./pulseward-data', 'pulseward verify monday.db'],
  async run(parsed, terminal) {
    const [file, ...others] = parsed.operands
    if (file === undefined)
      await refusePostgres(parsed, terminal, () => 'let PostgreSQL look itself, with pg_amcheck.')
    if (others.length > 0 || (file !== undefined && lastValue(parsed, 'data') !== null))
      throw new UsageError('Name one thing to check: pulseward verify --data DIR, or pulseward verify FILE')
    const path = file ?? dataDirectory(dataDirectoryFrom(parsed, terminal)).database
    const { problems, position, events, resources, operations } = verifyStore(path)
    printProblems(terminal, path, problems)
    if (problems.length > 0) return 1
    const managed = [counted(resources, 'managed resource'), counted(operations, 'operation')]
    const also = resources + operations > 0 ? ` It also holds ${managed.join(' and ')}.` : ''
    terminal.stdout.write(`${path} is right: ${events} events, the last at position ${position}.${also}\n`)
    return 0
  },
}
