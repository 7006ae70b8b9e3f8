// commands/backup.ts: copies the store into one file while the service runs, and reads the copy back.
import { backUp, UsageError } from '@pulseward/server'
import type { Command } from '../command.ts'
import { dataDirectoryFrom, dataFlags, orRefused, printProblems, refusePostgres } from '../data-flag.ts'

export const backup: Command = {
  summary: 'copy the store into one verified file, also while it runs',
  usage: '[--data DIR] FILE',
  flags: dataFlags,
  examples: ['pulseward backup --data ./pulseward-data monday.db'],
  async run(parsed, terminal) {
    const [file, ...others] = parsed.operands
    await refusePostgres(parsed, terminal, ({ dump }) => `run ${dump}`)
    if (file === undefined || others.length > 0)
      throw new UsageError('Name one file to write: pulseward backup --data DIR FILE')
    return orRefused(terminal, async () => {
      const { problems, position, events } = await backUp(
        dataDirectoryFrom(parsed, terminal),
        file,
        Date.now(),
      )
      printProblems(terminal, 'the store is not backed up', problems)
      if (problems.length > 0) return 1
      terminal.stdout.write(
        `${file} holds everything up to position ${position} (${events} events) and is verified.\n`,
      )
      return 0
    })
  },
}
