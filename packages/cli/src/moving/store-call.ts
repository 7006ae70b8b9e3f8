// moving/store-call.ts: a call of `pulseward store`: the places that it names, and how the database is reached.
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { settingsFrom } from '../setting-flags.ts'
import type { Terminal } from '../terminal.ts'

export interface StoreCall {
  readonly parsed: ParsedArguments
  readonly terminal: Terminal
  /** What follows the verb. */
  readonly operands: readonly string[]
}

interface GivenPlaces {
  readonly from: string
  readonly to: string
  readonly passwordFile: string | null
  /** The data directory, if it was given; null if it is only the default. */
  readonly data: string | null
  readonly keyFile: string | null
}

export function placesFrom(call: StoreCall, verb: string): GivenPlaces {
  const { parsed, operands } = call
  const [from, to] = [lastValue(parsed, 'from'), lastValue(parsed, 'to')]
  if (from === null || to === null || operands.length > 0)
    throw new UsageError(
      `Name both stores: pulseward store ${verb} --from sqlite:DIR --to postgres://USER@HOST/DATABASE`,
    )
  for (const place of [from, to]) warnOfPassword(call, place)
  return { from, to, ...accessFrom(call) }
}

export function accessFrom({ parsed, terminal }: StoreCall): Omit<GivenPlaces, 'from' | 'to'> {
  const { values, origins } = settingsFrom({ flags: parsed.flags, operands: [] }, terminal.environment)
  return {
    passwordFile: values.store_password_file,
    data: origins.data === 'default' ? null : values.data,
    keyFile: values.credentials_key_file,
  }
}

export function warnOfPassword({ terminal }: StoreCall, place: string): void {
  if (/^postgres\w*:\/\/[^:@/]*:.*@/.test(place))
    terminal.stderr.write(
      'pulseward: The password of the store is on the command line, where every user of this machine sees it; use --store-password-file or PGPASSFILE.\n',
    )
}
