// commands/store.ts: makes the tables of a store in PostgreSQL, for a role that may not make them itself.
import { postgresTools, UsageError } from '@pulseward/server'
import { switchValue } from '../client/flag-values.ts'
import type { Command } from '../command.ts'
import { isInPostgres, orRefused } from '../data-flag.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'

export const store: Command = {
  summary: 'make the tables of a store in PostgreSQL, or print how',
  usage: 'init --store URL [--print]',
  firstWords: ['init'],
  flags: {
    store: settingFlags['store']!,
    'store-password-file': settingFlags['store-password-file']!,
    settings: settingFlags['settings']!,
    print: { kind: 'switch', summary: 'Print the SQL instead, for whoever may make tables.' },
  },
  examples: [
    'pulseward store init --store postgres://ward@db/monitoring',
    'pulseward store init --store postgres://ward@db/monitoring --print',
  ],
  async run(parsed, terminal) {
    const { flags, operands } = parsed
    if (operands.length !== 1 || operands[0] !== 'init')
      throw new UsageError('Say what to do: pulseward store init --store URL. See --help.')
    const { values } = settingsFrom({ flags, operands: [] }, terminal.environment)
    if (!isInPostgres(values.store))
      throw new UsageError('Name the database: pulseward store init --store postgres://USER@HOST/DATABASE')
    const { initScriptOf, initStore } = await postgresTools()
    if (switchValue(parsed, 'print')) {
      terminal.stdout.write(initScriptOf(values.store))
      return 0
    }
    return orRefused(terminal, async () => {
      const place = await initStore(values.store, values.store_password_file)
      terminal.stdout.write(`${place} has the tables of a store.\n`)
      return 0
    })
  },
}
