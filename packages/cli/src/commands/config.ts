// commands/config.ts: manages contexts, as users of kubectl know them: services by name, each with its
// address, the file of its token and the authorities to trust. A token itself is never kept here.
import { resolve } from 'node:path'
import { holdsToken, idMistake, UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { asWritten, type Context, changeContexts, readContexts } from '../client/contexts/context-file.ts'
import { standardInput } from '../client/files/source-files.ts'
import { inWords, noOperands } from '../client/flag-values.ts'
import { formatFlag, formatFrom, formatted, printView } from '../client/output.ts'
import { type Column, table } from '../client/table/block.ts'
import { wholeId } from '../client/table/values.ts'
import { findContext } from '../client/target.ts'
import type { Command } from '../command.ts'
import type { Terminal } from '../terminal.ts'

type Verb = (parsed: ParsedArguments, terminal: Terminal) => number

const verbs: Readonly<Record<string, Verb>> = {
  'set-context': setContext,
  'use-context': useContext,
  'get-contexts': getContexts,
  'current-context': currentContext,
  'delete-context': deleteContext,
  view,
}

/** The flags of each verb besides the common ones. */
const ownFlags: Readonly<Record<string, readonly string[]>> = {
  'set-context': ['server', 'token-file', 'ca-file'],
  'get-contexts': ['output'],
  view: ['output'],
}

export const config: Command = {
  summary: 'name the services that you work with, and choose one',
  usage: `set-context NAME --server URL [--token-file FILE] [--ca-file FILE]
       pulseward config use-context|delete-context NAME
       pulseward config get-contexts|current-context|view`,
  firstWords: Object.keys(verbs),
  flags: {
    server: { kind: 'value', valueName: 'URL', summary: 'The address of the service.' },
    'token-file': {
      kind: 'value',
      valueName: 'FILE',
      summary: 'The file with its token; an empty name removes it. The token itself is never kept.',
    },
    'ca-file': {
      kind: 'value',
      valueName: 'FILE',
      summary: 'PEM file with the authorities to trust for it; an empty name removes it.',
    },
    output: formatFlag,
  },
  examples: [
    'pulseward config set-context prod --server https://pulseward.example --token-file ~/prod.token',
    'pulseward config use-context prod',
    'pulseward config get-contexts',
  ],
  async run({ flags, operands: [name = '', ...operands] }, terminal) {
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (verb === undefined)
      throw new UsageError(`Say what to do: pulseward config ${inWords(Object.keys(verbs))}. See --help.`)
    for (const flag of flags.keys())
      if (!ownFlags[name]?.includes(flag)) throw new UsageError(`--${flag} does not apply to config ${name}.`)
    return verb({ flags, operands }, terminal)
  },
}

function setContext(parsed: ParsedArguments, { stdout, environment }: Terminal): number {
  const name = nameFrom(parsed, 'set-context NAME --server URL')
  const mistake = idMistake(name)
  if (mistake !== null) throw new UsageError(`The name ${mistake}.`)
  let isNew = false
  changeContexts(environment, ({ current, contexts }) => {
    const before = contexts.get(name)
    isNew = before === undefined
    return { current, contexts: new Map([...contexts, [name, contextFrom(parsed, name, before)]]) }
  })
  stdout.write(`Context ${name} is ${isNew ? 'made' : 'changed'}.\n`)
  return 0
}

/** Flags that are not given keep their previous value. */
function contextFrom(parsed: ParsedArguments, name: string, before: Context | undefined): Context {
  const server = serverFrom(parsed) ?? before?.server
  if (server === undefined) throw new UsageError(`Context ${name} is new and needs an address: --server URL.`)
  return {
    server,
    tokenFile: pathFrom(parsed, 'token-file', before?.tokenFile ?? null),
    caFile: pathFrom(parsed, 'ca-file', before?.caFile ?? null),
  }
}

function serverFrom(parsed: ParsedArguments): string | undefined {
  const text = lastValue(parsed, 'server')
  if (text === null) return undefined
  // The address may contain a password, so it is not repeated.
  if (!text.split(',').every(isPlainAddress))
    throw new UsageError('--server must be an http or https URL without user, password, query and fragment.')
  return text
}

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text)
  const isPlain = url !== null && [url.username, url.password, url.search, url.hash].join('') === ''
  return isPlain && ['http:', 'https:'].includes(url.protocol)
}

/** Absolute, because commands run in other folders. */
function pathFrom(parsed: ParsedArguments, flag: string, before: string | null): string | null {
  const path = lastValue(parsed, flag)
  if (path === null) return before
  if (path === '') return null
  if (holdsToken(path)) throw new UsageError(`--${flag} is a token; put it into a file and name the file.`)
  if (path === standardInput) throw new UsageError(`--${flag}: a context cannot read stdin; name a file.`)
  return resolve(path)
}

function useContext(parsed: ParsedArguments, { stdout, environment }: Terminal): number {
  const name = nameFrom(parsed, 'use-context NAME')
  changeContexts(environment, (before) => {
    findContext(before, name)
    return { ...before, current: name }
  })
  stdout.write(`${name} is the current context.\n`)
  return 0
}

function deleteContext(parsed: ParsedArguments, { stdout, environment }: Terminal): number {
  const name = nameFrom(parsed, 'delete-context NAME')
  let wasCurrent = false
  changeContexts(environment, (before) => {
    findContext(before, name)
    wasCurrent = before.current === name
    const contexts = new Map([...before.contexts].filter(([other]) => other !== name))
    return { current: wasCurrent ? null : before.current, contexts }
  })
  stdout.write(`Context ${name} is deleted${wasCurrent ? '; no context is current now' : ''}.\n`)
  return 0
}

function currentContext(parsed: ParsedArguments, { stdout, stderr, environment }: Terminal): number {
  noOperands(parsed)
  const { current } = readContexts(environment)
  if (current === null) {
    stderr.write('pulseward: No context is current; choose one with pulseward config use-context NAME.\n')
    return 1
  }
  stdout.write(`${current}\n`)
  return 0
}

interface ContextRow extends Context {
  readonly name: string
  readonly isCurrent: boolean
}

const columns: readonly Column<ContextRow>[] = [
  { title: 'CURRENT', cell: ({ isCurrent }) => (isCurrent ? '*' : ' ') },
  { title: 'NAME', cell: ({ name }) => name, minimum: wholeId },
  { title: 'SERVER', cell: ({ server }) => server, minimum: 16 },
  { title: 'TOKEN FILE', cell: ({ tokenFile }) => tokenFile, minimum: 12, dispensable: 1 },
  { title: 'CA FILE', cell: ({ caFile }) => caFile, minimum: 12, dispensable: 2 },
]

function getContexts(parsed: ParsedArguments, terminal: Terminal): number {
  noOperands(parsed)
  const { current, contexts } = readContexts(terminal.environment)
  const rows = [...contexts].map(([name, context]) => ({ name, isCurrent: name === current, ...context }))
  const body = rows.map((row) => ({ name: row.name, current: row.isCurrent, ...asWritten(row) }))
  const empty = 'There is no context; make one with pulseward config set-context NAME --server URL.'
  printView(
    terminal,
    formatted(terminal, formatFrom(parsed), body, () => [table(columns, rows, { empty })]),
  )
  return 0
}

/** Shows the file as it is understood. */
function view(parsed: ParsedArguments, terminal: Terminal): number {
  noOperands(parsed)
  const { current, contexts } = readContexts(terminal.environment)
  const entries = [...contexts].map(([name, context]) => [name, asWritten(context)] as const)
  const body = { ...(current === null ? {} : { current }), contexts: Object.fromEntries(entries) }
  const format = formatFrom(parsed) === 'json' ? 'json' : 'yaml'
  printView(
    terminal,
    formatted(terminal, format, body, () => []),
  )
  return 0
}

function nameFrom({ operands: [name, ...others] }: ParsedArguments, form: string): string {
  if (name === undefined || others.length > 0)
    throw new UsageError(`Name one context: pulseward config ${form}`)
  return name
}
