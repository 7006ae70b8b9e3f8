// editions/served-next.ts: the edition next behind its real listener, over an engine whose time and targets
// the test controls, with a principal of each role:
// `await using next = await serveNext(await TestService.start({ monitors: [] }))`.
import { v2 } from '@pulseward/contract'
import { createPrincipal, revokePrincipal } from '@pulseward/server/internal/access/edit-principals.ts'
import type { Role } from '@pulseward/server/internal/access/roles.ts'
import { driverShapes } from '@pulseward/server/internal/config/driver-shapes.ts'
import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import type { ExternalJobs } from '@pulseward/server/internal/external-workers/external-jobs.ts'
import { headOf } from '@pulseward/server/internal/fleet/fleet-change.ts'
import { Managing } from '@pulseward/server/internal/managing/managing.ts'
import { dataDirectory, makeDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { type EditionWorld, type ServedEdition, type ServeOptions, serveEdition } from './served-edition.ts'

/** What an operation of v2 is called with. By default the reader calls reads and the operator everything else. */
export interface V2Call {
  readonly role?: Role
  readonly id?: string
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A probe calls no operation, so most tests need none. */
export type Tokens = Readonly<Record<Exclude<Role, 'probe'>, string>> & { readonly probe?: string }

export interface ServedNext extends Omit<ServedEdition, 'ask' | 'routes'> {
  readonly tokens: Tokens
  /** Tokens of operators that are no longer valid. */
  readonly endedTokens: Readonly<Record<'expired' | 'revoked', string>>
  /** The data directory, where the principals file is. */
  readonly data: string
  /** The jobs of external workers; null if there are none. */
  readonly external: ExternalJobs | null
  call(name: v2.OperationName, call?: V2Call): Promise<Response>
}

export async function serveNext(
  world: EditionWorld,
  options: Omit<ServeOptions, 'managed'> = {},
): Promise<ServedNext> {
  const { fleet, store } = world
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(temporaryFolder())
  const data = folder.path('data')
  const { tokens, endedTokens } = makePrincipals(data, world.clock.wallMs())
  const { values } = resolveSettings({ flags: new Map(), environment: {}, file: null })
  const settings = { ...values, ...options.settings, data }
  const recovered = await store.recover(0)
  const managing = opened.use(
    await Managing.open({ settings, fleet, drivers: driverShapes, recovered, store, log: silentLog }),
  )
  world.jobTypeOf = (id) => managing.registry.jobType(id)
  managing.registry.filesChanged({ head: headOf(fleet.definition), credentials: new Map() })
  const managed = { managing, recovered }
  const served = opened.use(
    await serveEdition('next', world, { ...options, settings: { ...options.settings, data }, managed }),
  )
  const owned = opened.move()
  return {
    ...served,
    external: world.external ?? null,
    tokens,
    endedTokens,
    data,
    call: (name, call) => callOperation(served.url, tokens, name, call),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function makePrincipals(data: string, nowMs: number): Pick<ServedNext, 'tokens' | 'endedTokens'> {
  makeDirectory(data)
  const files = dataDirectory(data)
  const tokenOf = (role: Role, more: Partial<Parameters<typeof createPrincipal>[1]> = {}) =>
    createPrincipal(files, { name: `the-${role}`, role, expiresMs: null, jobTypes: [], ...more }).token
  const tokens = {
    reader: tokenOf('reader'),
    operator: tokenOf('operator'),
    worker: tokenOf('worker', { jobTypes: ['any'] }),
    probe: tokenOf('probe', { locations: ['fra'] }),
  }
  const expired = tokenOf('operator', { name: 'expired', expiresMs: nowMs - 1 })
  const revoked = tokenOf('operator', { name: 'revoked' })
  revokePrincipal(files, 'revoked')
  return { tokens, endedTokens: { expired, revoked } }
}

/** Calls an operation with the method, path and media type of the contract. */
export function callOperation(
  url: string,
  tokens: Tokens,
  name: v2.OperationName,
  { role, id, query = '', body, headers = {} }: V2Call = {},
): Promise<Response> {
  const operation: v2.V2Operation = v2.operations[name]
  const token = tokens[role ?? (v2.isMutation(operation) ? 'operator' : 'reader')] ?? ''
  const path = operation.path.replace('{id}', encodeURIComponent(id ?? ''))
  const type = operation.body?.mediaType
  return fetch(`${url}${path}${query}`, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(type === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}
