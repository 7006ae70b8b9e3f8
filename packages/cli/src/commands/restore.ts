// commands/restore.ts: replaces a store that no process uses by a backup; the old store is kept aside.
import { keyConcernIn, restore as restoreStore, UsageError } from '@pulseward/server'
import { lastValue } from '../arguments.ts'
import type { Command } from '../command.ts'
import { dataFlags, orRefused, printProblems, refusePostgres } from '../data-flag.ts'
import { settingsFrom } from '../setting-flags.ts'

export const restore: Command = {
  summary: 'put a backup in the place of the store, while it is stopped',
  usage: 'FILE [--data DIR] [--force]',
  flags: {
    ...dataFlags,
    force: { kind: 'switch', summary: 'Put a store that is there already aside instead of refusing.' },
  },
  examples: ['pulseward restore monday.db --data ./pulseward-data --force'],
  async run(parsed, terminal) {
    const [file, ...others] = parsed.operands
    await refusePostgres(
      parsed,
      terminal,
      ({ restore: command }) =>
        `stop the service, make the database empty, and run ${command} with a file that pg_dump has written.`,
    )
    const force = lastValue(parsed, 'force') ?? 'false'
    if (!['true', 'false'].includes(force))
      throw new UsageError(`--force: must be true or false, not "${force}".`)
    if (file === undefined || others.length > 0)
      throw new UsageError('Name one backup: pulseward restore FILE --data DIR')
    return orRefused(terminal, async () => {
      const settings = settingsFrom({ flags: parsed.flags, operands: [] }, terminal.environment).values
      const { data: directory, credentials_key_file } = settings
      const options = { file, directory, force: force === 'true', now: Date.now() }
      const { verdict, keptAside } = await restoreStore(options)
      printProblems(terminal, `${file} is not restored`, verdict.problems)
      if (verdict.problems.length > 0) return 1
      if (keptAside !== null) terminal.stdout.write(`The store that was there is now in ${keptAside}.\n`)
      terminal.stdout.write(
        `${directory} holds ${file}: ${verdict.events} events, the last at position ${verdict.position}.\n` +
          'Notifications and recoveries that were waiting when it was made are not sent again; a monitor that still fails is reported.\n',
      )
      const concern = await keyConcernIn(directory, credentials_key_file)
      if (concern !== null)
        terminal.stderr.write(
          `pulseward: ${concern} Until then monitors and endpoints that need such a value do not run; everything else does.\n`,
        )
      return 0
    })
  },
}
