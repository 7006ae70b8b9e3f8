// client/contexts/context-file.ts: the contexts of a user: servers by name, each with the file of its token
// and the authorities to trust. The file never holds a token. Anyone who can write it could redirect a token
// to another server, so it must belong to one user alone. It is replaced as a whole, under a lock.
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { FileLock, LockHeldError, replaceFile, UsageError } from '@pulseward/server'
import { dump } from 'js-yaml'
import { parseValue } from '../files/parse-value.ts'

export interface Context {
  readonly server: string
  readonly tokenFile: string | null
  readonly caFile: string | null
}

export interface Contexts {
  /** The context used if none is named. */
  readonly current: string | null
  readonly contexts: ReadonlyMap<string, Context>
}

type Environment = Readonly<Record<string, string | undefined>>

const noContexts: Contexts = { current: null, contexts: new Map() }
const othersMayWrite = 0o022
const lockWaitMs = 5_000

/** Null if neither XDG_CONFIG_HOME nor a home folder is set. */
function contextFile({ XDG_CONFIG_HOME: config = '', ...environment }: Environment): string | null {
  const home = environment['HOME'] || environment['USERPROFILE'] || null
  // The XDG Base Directory Specification says to ignore relative paths.
  const folder = isAbsolute(config) ? config : home === null ? null : join(home, '.config')
  return folder === null ? null : join(folder, 'pulseward', 'contexts.yaml')
}

/** Empty if there is no file. Throws a UsageError for a file that cannot be used. */
export function readContexts(environment: Environment): Contexts {
  const file = contextFile(environment)
  return file === null ? noContexts : readFrom(file)
}

/** Throws a UsageError if it cannot be written; the file is unchanged then. */
export function changeContexts(environment: Environment, change: (before: Contexts) => Contexts): void {
  const file = contextFile(environment)
  if (file === null) throw new UsageError('The folder for contexts is unknown: set HOME or XDG_CONFIG_HOME.')
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    using _lock = new FileLock(`${file}.lock`, lockWaitMs)
    write(file, change(readFrom(file)))
  } catch (error) {
    if (error instanceof UsageError) throw error
    const isLocked = error instanceof LockHeldError
    const why = isLocked
      ? 'is being changed by another command; try again'
      : `cannot be written: ${(error as Error).message}`
    throw new UsageError(`${file} ${why.replace(/\.$/, '')}.`, { cause: error })
  }
}

function write(file: string, { current, contexts }: Contexts): void {
  const entries = [...contexts].map(([name, context]) => [name, asWritten(context)] as const)
  const document = {
    version: 1,
    ...(current === null ? {} : { current }),
    contexts: Object.fromEntries(entries),
  }
  replaceFile(file, dump(document, { lineWidth: -1 }))
}

/** As written in the file and as shown. */
export function asWritten({ server, tokenFile, caFile }: Context): Readonly<Record<string, string>> {
  return {
    server,
    ...(tokenFile === null ? {} : { token_file: tokenFile }),
    ...(caFile === null ? {} : { ca_file: caFile }),
  }
}

function readFrom(file: string): Contexts {
  const text = contentOf(file)
  if (text === null) return noContexts
  const document = mapping(parseValue(text, file) ?? {}, file, ['version', 'current', 'contexts'])
  if (document['version'] !== undefined && document['version'] !== 1)
    throw new UsageError(`${file}: this version of pulseward reads version 1 of this file only.`)
  const contexts = new Map(
    Object.entries(mapping(document['contexts'] ?? {}, `${file}: contexts`)).map(([name, value]) => [
      name,
      contextOf(value, `${file}: contexts.${name}`),
    ]),
  )
  const { current } = document
  return { current: current === undefined ? null : textOf(current, `${file}: current`), contexts }
}

function contextOf(value: unknown, place: string): Context {
  const { server, token_file, ca_file } = mapping(value, place, ['server', 'token_file', 'ca_file'])
  if (server === undefined) throw new UsageError(`${place}: server is missing.`)
  const optional = (given: unknown, key: string) =>
    given === undefined ? null : textOf(given, `${place}.${key}`)
  return {
    server: textOf(server, `${place}.server`),
    tokenFile: optional(token_file, 'token_file'),
    caFile: optional(ca_file, 'ca_file'),
  }
}

function mapping(value: unknown, place: string, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${place}: must be a mapping of names to values.`)
  const unknown = Object.keys(value).find((key) => known?.includes(key) === false)
  if (unknown !== undefined)
    throw new UsageError(`${place}: "${unknown}" is not known here; there are ${known?.join(', ')}.`)
  return value as Record<string, unknown>
}

function textOf(value: unknown, place: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new UsageError(`${place}: must be text that is not empty.`)
}

/** Null if there is no file. */
function contentOf(file: string): string | null {
  try {
    const { mode, uid } = statSync(file)
    const user = process.getuid?.()
    if (user !== undefined && ((mode & othersMayWrite) !== 0 || (uid !== user && uid !== 0)))
      throw new UsageError(
        `${file} can be written by other users, who could have a token sent to a server of theirs; run chmod 600 on it.`,
      )
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be read (${code}).`, { cause: error })
  }
}
