// commands/token.ts: creates, lists and revokes the tokens of principals, directly in the data directory or in the store,
// also while the service runs. A token is printed once, alone on stdout, and is never an argument.
import {
  type CreatedPrincipal,
  createPrincipal,
  dataDirectory,
  idMistake,
  listPrincipals,
  type Principal,
  postgresTools,
  type RevokedPrincipal,
  type Role,
  revokePrincipal,
  roles,
  SharedPrincipalList,
  UsageError,
} from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { oneOfWords } from '../client/flag-values.ts'
import { formatted, printView } from '../client/output.ts'
import { type Cell, type Column, table } from '../client/table/block.ts'
import { exactTime } from '../client/table/local-time.ts'
import { listed, wholeId } from '../client/table/values.ts'
import type { Command } from '../command.ts'
import { dataFlags, isInPostgres, orRefused } from '../data-flag.ts'
import { outputFlag, outputFrom } from '../output-flag.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'
import type { Terminal } from '../terminal.ts'

interface Call {
  readonly parsed: ParsedArguments
  readonly terminal: Terminal
  readonly principals: PrincipalList
  /** What follows the verb. */
  readonly operands: readonly string[]
}

/** In the file of a data directory, or in a store that several machines share. */
interface PrincipalList {
  /** For people. */
  readonly place: string
  list(): Promise<readonly Principal[]>
  create(wanted: Omit<Principal, 'digest'>): Promise<CreatedPrincipal>
  /** Null if there is none of this name. */
  revoke(name: string): Promise<RevokedPrincipal | null>
}

const verbs: Readonly<Record<string, (call: Call) => Promise<number>>> = { create, list, revoke }

/** The flags of each verb besides the common ones. */
const ownFlags: Readonly<Record<string, readonly string[]>> = {
  create: ['role', 'expires', 'job-type', 'location'],
  list: ['output'],
  revoke: [],
}

export const token: Command = {
  summary: 'make, list and revoke tokens, also while it runs',
  usage: `create NAME --role ${roles.join('|')} [--expires 90d] [--job-type ID]... [--location ID]... [--data DIR | --store URL]
       pulseward token list [-o json] [--data DIR | --store URL]
       pulseward token revoke NAME [--data DIR | --store URL]`,
  firstWords: Object.keys(verbs),
  flags: {
    role: {
      kind: 'value',
      values: roles,
      summary:
        'reader: all reads. operator: reads and writes. worker: runs jobs of its job types. probe: checks at its locations.',
    },
    expires: {
      kind: 'value',
      valueName: 'DURATION',
      summary: 'How long the token works, such as 90d or 12h. Without it until it is revoked.',
    },
    'job-type': {
      kind: 'value',
      valueName: 'ID',
      summary: 'A job type that a worker may run; may be given several times.',
    },
    location: {
      kind: 'value',
      valueName: 'ID',
      summary: 'A location that a probe may serve; may be given several times.',
    },
    output: outputFlag,
    ...dataFlags,
    store: settingFlags['store']!,
    'store-password-file': settingFlags['store-password-file']!,
  },
  examples: [
    '(umask 077; pulseward token create ann --role operator --expires 90d > ann.token)',
    'pulseward token create disk-worker --role worker --job-type disk --job-type raid',
    'pulseward token create fra-1 --role probe --location fra',
    'pulseward token list',
    'pulseward token revoke ann --data ./pulseward-data',
  ],
  async run(parsed, terminal) {
    const [name = '', ...operands] = parsed.operands
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (verb === undefined)
      throw new UsageError('Say what to do: pulseward token create NAME, list or revoke NAME. See --help.')
    refuseOtherFlags(parsed, name)
    return orRefused(terminal, () =>
      withList(parsed, terminal, (principals) => verb({ parsed, terminal, principals, operands })),
    )
  },
}

/** In a store in PostgreSQL, as the service has it, unless a setting names a file. */
async function withList(
  parsed: ParsedArguments,
  { environment }: Terminal,
  work: (principals: PrincipalList) => Promise<number>,
): Promise<number> {
  const { values } = settingsFrom({ flags: parsed.flags, operands: [] }, environment)
  const own = dataDirectory(values.data)
  if (!isInPostgres(values.store) || values.principals_file !== null)
    return await work(inFile({ ...own, principals: values.principals_file ?? own.principals }))
  const { withPrincipals } = await postgresTools()
  return await withPrincipals(values.store, values.store_password_file, (shared, place) =>
    work(new SharedPrincipalList(shared, own, place)),
  )
}

function inFile(files: ReturnType<typeof dataDirectory>): PrincipalList {
  return {
    place: files.principals,
    list: async () => listPrincipals(files),
    create: async (wanted) => createPrincipal(files, wanted),
    revoke: async (name) => revokePrincipal(files, name),
  }
}

/** A flag that is silently ignored would grant more than was meant. */
function refuseOtherFlags({ flags }: ParsedArguments, verb: string): void {
  const own = Object.values(ownFlags).flat()
  for (const flag of flags.keys()) {
    if (own.includes(flag) && !ownFlags[verb]?.includes(flag))
      throw new UsageError(`--${flag} does not apply to token ${verb}.`)
  }
}

async function create({ parsed, terminal, principals, operands }: Call): Promise<number> {
  const name = nameFrom(operands, 'create NAME --role ROLE')
  const role = oneOfWords(parsed, 'role', roles)
  if (role === undefined) throw new UsageError(`Say what ${name} may do: --role ${roles.join('|')}.`)
  const jobTypes = jobTypesFrom(parsed, role)
  const locations = locationsFrom(parsed, role)
  const expiresMs = expiryFrom(parsed)
  const { token, isFirst } = await principals.create({ name, role, expiresMs, jobTypes, ...locations })
  terminal.stdout.write(`${token}\n`)
  const until =
    expiresMs === null
      ? 'until it is revoked'
      : `until ${exactTime(new Date(expiresMs).toISOString(), terminal.timeZone)}`
  terminal.stderr.write(
    `pulseward: ${name} (${role}) was added to ${principals.place}. The token works ${until} and is not shown again; a running service knows it within a second.\n`,
  )
  if (isFirst)
    terminal.stderr.write(
      `pulseward: ${principals.place} is new and has no other principal; the first start of the edition next will not make an operator.\n`,
    )
  return 0
}

async function list({ parsed, terminal, principals, operands: [unexpected] }: Call): Promise<number> {
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
  const output = outputFrom(parsed)
  const rows = (await principals.list()).map(rowOf)
  if (output === 'json') terminal.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else
    printView(
      terminal,
      formatted(terminal, 'wide', rows, () => [
        table(columns, rows, { empty: `There are no principals in ${principals.place}.` }),
      ]),
    )
  return 0
}

async function revoke({ terminal, principals, operands }: Call): Promise<number> {
  const name = nameFrom(operands, 'revoke NAME')
  const done = await principals.revoke(name)
  if (done === null) {
    terminal.stderr.write(`pulseward: There is no principal ${name} in ${principals.place}.\n`)
    return 1
  }
  terminal.stdout.write(`${name} is revoked; a running service refuses its token within a second.\n`)
  if (done.revoked.role === 'operator' && done.left.every(({ role }) => role !== 'operator'))
    terminal.stderr.write(
      'pulseward: No operator is left; make one with pulseward token create NAME --role operator.\n',
    )
  return 0
}

function nameFrom([name, ...others]: readonly string[], form: string): string {
  if (name === undefined || others.length > 0)
    throw new UsageError(`Name one principal: pulseward token ${form}`)
  const mistake = idMistake(name)
  if (mistake !== null) throw new UsageError(`The name ${mistake}.`)
  return name
}

function jobTypesFrom({ flags }: ParsedArguments, role: Role): readonly string[] {
  const jobTypes = [...new Set(flags.get('job-type'))]
  for (const jobType of jobTypes) {
    const mistake = idMistake(jobType)
    if (mistake !== null) throw new UsageError(`--job-type ${mistake}.`)
  }
  if (role === 'worker' && jobTypes.length === 0)
    throw new UsageError('A worker runs nothing without a job type; name at least one with --job-type ID.')
  if (role !== 'worker' && jobTypes.length > 0)
    throw new UsageError('Only a worker has job types; leave --job-type out, or say --role worker.')
  return jobTypes
}

function locationsFrom({ flags }: ParsedArguments, role: Role): Pick<Principal, 'locations'> {
  const locations = [...new Set(flags.get('location'))]
  for (const location of locations) {
    const mistake = idMistake(location)
    if (mistake !== null) throw new UsageError(`--location ${mistake}.`)
  }
  if (role === 'probe' && locations.length === 0)
    throw new UsageError('A probe checks nothing without a location; name at least one with --location ID.')
  if (role !== 'probe' && locations.length > 0)
    throw new UsageError('Only a probe has locations; leave --location out, or say --role probe.')
  return role === 'probe' ? { locations } : {}
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const longestMs = 3_650 * unitMs.d

function expiryFrom(parsed: ParsedArguments): number | null {
  const text = lastValue(parsed, 'expires')
  if (text === null) return null
  const [, figure, unit] = /^([1-9][0-9]{0,6})(m|h|d)$/.exec(text) ?? []
  const ms = Number(figure) * unitMs[unit as keyof typeof unitMs]
  if (ms <= longestMs) return Date.now() + ms
  throw new UsageError(
    `--expires: "${text}" is not allowed here; say how long the token works, such as 90d, 12h or 30m, at most 3650d.`,
  )
}

/** A principal without its digest. */
interface PrincipalRow {
  readonly name: string
  readonly role: Role
  readonly expires: string | null
  readonly jobTypes: readonly string[]
  readonly locations?: readonly string[]
}

function rowOf({ name, role, expiresMs, jobTypes, locations }: Principal): PrincipalRow {
  return {
    name,
    role,
    expires: expiresMs === null ? null : new Date(expiresMs).toISOString(),
    jobTypes,
    ...(locations === undefined ? {} : { locations }),
  }
}

const columns: readonly Column<PrincipalRow>[] = [
  { title: 'NAME', cell: ({ name }) => name, minimum: wholeId },
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'EXPIRES', cell: ({ expires }) => expiryCell(expires) },
  { title: 'LOCATIONS', cell: ({ locations = [] }) => listed(locations), minimum: 9, dispensable: 1 },
  { title: 'JOB TYPES', cell: ({ jobTypes }) => listed(jobTypes), minimum: 16, dispensable: 1 },
]

function expiryCell(expires: string | null): Cell {
  if (expires === null) return null
  return Date.parse(expires) <= Date.now() ? [{ instant: expires }, ' (expired)'] : { instant: expires }
}
