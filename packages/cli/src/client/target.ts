// client/target.ts: which service a command talks to, and where its token is. Flags override PULSEWARD_*
// variables, which override the current context, which overrides the defaults. A context named by a flag
// counts as that flag. A context is used whole or not at all, so that its token goes only to its own server.
import { nearestName, settingTable, UsageError } from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'
import type { Terminal } from '../terminal.ts'
import { type Context, type Contexts, readContexts } from './contexts/context-file.ts'

const defaultServer = 'http://127.0.0.1:8060'
const defaultData = settingTable.data.fallback

export const targetFlags: Readonly<Record<string, FlagSpec>> = {
  server: {
    kind: 'value',
    valueName: 'URL[,URL]',
    summary: `The service; of several processes all addresses, separated by commas: the active one is used. Default ${defaultServer}. (PULSEWARD_SERVER)`,
  },
  context: {
    kind: 'value',
    valueName: 'NAME',
    summary: 'The context to use, as pulseward config names it. (PULSEWARD_CONTEXT)',
  },
  'token-file': {
    kind: 'value',
    valueName: 'FILE',
    summary: 'File with the token, or - for stdin; must not be readable by all users. (PULSEWARD_TOKEN_FILE)',
  },
  'ca-file': {
    kind: 'value',
    valueName: 'FILE',
    summary: 'PEM file with the authorities to trust instead of the usual ones. (PULSEWARD_CA_FILE)',
  },
  data: {
    kind: 'value',
    valueName: 'DIR',
    summary: `Data directory of a service on this machine, whose operator's token is used when no other is given. Default ${defaultData}. (PULSEWARD_DATA)`,
  },
}

export interface Target {
  readonly server: string
  /** Null: the token is in the variable PULSEWARD_TOKEN or in the data directory. */
  readonly tokenFile: string | null
  readonly caFile: string | null
  readonly data: string
}

export function targetFrom(parsed: ParsedArguments, { environment }: Terminal): Target {
  const context = contextFrom(parsed, environment)
  const isNamedByFlag = lastValue(parsed, 'context') !== null
  const chosen = (flag: string, variable: string, ofContext: string | null) => {
    const given = lastValue(parsed, flag) ?? (isNamedByFlag ? ofContext : null)
    return given ?? (environment[variable] || null) ?? ofContext
  }
  const hasTokenVariable = !isNamedByFlag && Boolean(environment['PULSEWARD_TOKEN']?.trim())
  const ofContext = hasTokenVariable ? null : (context?.tokenFile ?? null)
  return {
    server: chosen('server', 'PULSEWARD_SERVER', context?.server ?? null) ?? defaultServer,
    tokenFile: chosen('token-file', 'PULSEWARD_TOKEN_FILE', ofContext),
    caFile: chosen('ca-file', 'PULSEWARD_CA_FILE', context?.caFile ?? null),
    data: chosen('data', 'PULSEWARD_DATA', null) ?? defaultData,
  }
}

/** Null if no context is used. */
function contextFrom(parsed: ParsedArguments, environment: Terminal['environment']): Context | null {
  const flag = lastValue(parsed, 'context')
  const isServerGiven = lastValue(parsed, 'server') !== null
  if (flag !== null && isServerGiven)
    throw new UsageError('--context and --server name a service each; leave one of them out.')
  if (isServerGiven) return null
  if (flag !== null) return findContext(readContexts(environment), flag)
  const { PULSEWARD_SERVER: server, PULSEWARD_CONTEXT: name } = environment
  if (server && name)
    throw new UsageError('PULSEWARD_CONTEXT and PULSEWARD_SERVER name a service each; unset one of them.')
  if (server) return null
  const contexts = readContexts(environment)
  const wanted = name || contexts.current
  return wanted === null ? null : findContext(contexts, wanted)
}

export function findContext({ contexts }: Contexts, name: string): Context {
  const found = contexts.get(name)
  if (found !== undefined) return found
  const nearest = nearestName(name, contexts.keys())
  const hint = nearest === null ? 'pulseward config get-contexts shows all.' : `Did you mean ${nearest}?`
  throw new UsageError(`There is no context "${name}". ${hint}`)
}
