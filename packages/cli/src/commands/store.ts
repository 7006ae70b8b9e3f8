// commands/store.ts: what is done with whole stores while no service uses them: the tables of one in PostgreSQL are made,
// one is moved between the embedded store and PostgreSQL, two are compared, and one that was moved away is reclaimed.
import { postgresTools, UsageError } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from '../arguments.ts'
import { switchValue } from '../client/flag-values.ts'
import type { Command } from '../command.ts'
import { isInPostgres, orRefused } from '../data-flag.ts'
import { copy } from '../moving/copy.ts'
import { reclaim } from '../moving/reclaim.ts'
import type { StoreCall } from '../moving/store-call.ts'
import { verify } from '../moving/verify.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'

const verbs: Readonly<Record<string, (call: StoreCall) => Promise<number>>> = { init, copy, verify, reclaim }

/** The flags of each verb besides the common ones. */
const ownFlags: Readonly<Record<string, readonly string[]>> = {
  init: ['store', 'print'],
  copy: ['from', 'to', 'data'],
  verify: ['from', 'to'],
  reclaim: [],
}

const place: Omit<FlagSpec, 'summary'> = { kind: 'value', valueName: 'STORE' }

export const store: Command = {
  summary: 'move a store to PostgreSQL or back, or compare two stores',
  usage: `init --store URL [--print]
       pulseward store copy --from STORE --to STORE [--data DIR]
       pulseward store verify --from STORE --to STORE
       pulseward store reclaim STORE`,
  firstWords: Object.keys(verbs),
  flags: {
    from: {
      ...place,
      summary: 'The store to read: sqlite:DIR (a data directory) or postgres://USER@HOST/DATABASE.',
    },
    to: { ...place, summary: 'The store to write, or to compare with.' },
    data: {
      ...settingFlags['data']!,
      summary: 'The data directory of a service on PostgreSQL, with what it keeps beside the store.',
    },
    store: settingFlags['store']!,
    'store-password-file': settingFlags['store-password-file']!,
    settings: settingFlags['settings']!,
    print: { kind: 'switch', summary: 'Print the SQL instead, for whoever may make tables.' },
  },
  examples: [
    'pulseward store init --store postgres://ward@db/monitoring',
    'pulseward store copy --from sqlite:./pulseward-data --to postgres://ward@db/monitoring',
    'pulseward store copy --from postgres://ward@db/monitoring --to sqlite:./new-data',
    'pulseward store verify --from sqlite:./pulseward-data --to postgres://ward@db/monitoring',
  ],
  async run(parsed, terminal) {
    const [name = '', ...operands] = parsed.operands
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (verb === undefined)
      throw new UsageError('Say what to do: pulseward store init, copy, verify or reclaim. See --help.')
    refuseOtherFlags(parsed, name)
    return orRefused(terminal, () => verb({ parsed, terminal, operands }))
  },
}

function refuseOtherFlags({ flags }: ParsedArguments, verb: string): void {
  const own = Object.values(ownFlags).flat()
  for (const flag of flags.keys())
    if (own.includes(flag) && !ownFlags[verb]?.includes(flag))
      throw new UsageError(`--${flag} does not apply to store ${verb}.`)
}

async function init({ parsed, terminal, operands: [unexpected] }: StoreCall): Promise<number> {
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
  const { values } = settingsFrom({ flags: parsed.flags, operands: [] }, terminal.environment)
  if (!isInPostgres(values.store))
    throw new UsageError('Name the database: pulseward store init --store postgres://USER@HOST/DATABASE')
  const { initScriptOf, initStore } = await postgresTools()
  if (switchValue(parsed, 'print')) {
    terminal.stdout.write(initScriptOf(values.store))
    return 0
  }
  const where = await initStore(values.store, values.store_password_file)
  terminal.stdout.write(`${where} has the tables of a store.\n`)
  return 0
}
