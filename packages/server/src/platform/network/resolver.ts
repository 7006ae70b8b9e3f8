// platform/network/resolver.ts: resolves names to addresses, for a large fleet. Answers come from literals, the hosts
// file, the cache or the DNS, in this order; concurrent lookups of a name share one query. A lookup never throws and
// never rejects: a failure is part of the answer. A positive answer is cached for 1 s to 1 day, a negative one for at
// most 60 s (1 s if the server does not say), and the failure of a resolver not at all. The files that name servers and
// hosts are checked every few seconds while there are lookups; when they change, the cache is cleared.
import { type Clock, systemClock } from '../clock.ts'
import { AddressCache, type Resolution } from './address-cache.ts'
import { AddressQuery, type FamilyAnswer, MAX_TTL_SECONDS, MIN_TTL_SECONDS } from './address-query.ts'
import type { DnsServer } from './dns-server.ts'
import { canonicalHostName } from './host-name.ts'
import { ipVersion } from './ip-address.ts'
import type { Family } from './network.ts'
import type { HostAddresses, ResolverConfig } from './resolver-config.ts'

const MAX_CACHED_NAMES = 65_536
const LOOK_AT_FILES_EVERY_MS = 5_000

export interface ResolverOptions {
  readonly clock?: Clock
  /** How long one server may take before the next is queried. */
  readonly serverTimeoutMs?: number
  readonly maxCachedNames?: number
  /** The files behind the configuration, to be followed. */
  readonly files?: { look(): Promise<ResolverConfig | null> }
}

const LOOPBACK: HostAddresses = { ipv4: ['127.0.0.1'], ipv6: ['::1'] }

export class Resolver implements Disposable {
  #config: ResolverConfig
  readonly #files: ResolverOptions['files']
  #lookAtMs: number
  readonly #clock: Clock
  readonly #cache: AddressCache
  readonly #query: AddressQuery
  /** Replaced as a whole when the configuration changes: later lookups must not share older answers. */
  #inFlight = new Map<string, Promise<Resolution>>()

  constructor(config: ResolverConfig, options: ResolverOptions = {}) {
    this.#config = config
    this.#files = options.files
    this.#clock = options.clock ?? systemClock
    this.#lookAtMs =
      options.files === undefined
        ? Number.POSITIVE_INFINITY
        : this.#clock.monotonicMs() + LOOK_AT_FILES_EVERY_MS
    this.#cache = new AddressCache(options.maxCachedNames ?? MAX_CACHED_NAMES)
    this.#query = new AddressQuery(config.servers, options.serverTimeoutMs ?? 2_000)
  }

  /** The server for queries that do not name one. */
  get server(): DnsServer {
    this.#followFiles(this.#clock.monotonicMs())
    return this.#query.preferredServer
  }

  /** Synchronous if the answer is known, otherwise a promise that never rejects. */
  lookup(host: string, family: Family): Resolution | Promise<Resolution> {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs >= this.#lookAtMs) this.#followFiles(nowMs)
    const cached = this.#cache.get(host, family, nowMs)
    if (cached !== undefined) return cached
    const literal = ipVersion(host)
    if (literal !== 0) return literalResolution(host, literal, family)
    const name = canonicalHostName(host)
    if (name === null) return refused('BAD_NAME', `${host} is not a valid host name`, 'target')
    const local = this.#localAddresses(name)
    if (local !== null) return localResolution(name, local, family)
    if (name !== host) return this.lookup(name, family)
    return this.#shared(name, family)
  }

  [Symbol.dispose](): void {
    this.#query[Symbol.dispose]()
  }

  #localAddresses(name: string): HostAddresses | null {
    const bare = name.endsWith('.') ? name.slice(0, -1) : name
    // RFC 6761: never sent to the DNS, whatever the hosts file says.
    if (bare === 'localhost' || bare.endsWith('.localhost')) return LOOPBACK
    return this.#config.hosts.get(bare) ?? null
  }

  #shared(name: string, family: Family): Promise<Resolution> {
    const key = `${family} ${name}`
    const inFlight = this.#inFlight
    const known = inFlight.get(key)
    if (known !== undefined) return known
    const asked = this.#ask(name, family).finally(() => inFlight.delete(key))
    inFlight.set(key, asked)
    return asked
  }

  /** Never awaited: lookups use the old configuration until the files have been read. */
  #followFiles(nowMs: number): void {
    if (nowMs < this.#lookAtMs) return
    this.#lookAtMs = nowMs + LOOK_AT_FILES_EVERY_MS
    void this.#files?.look().then((config) => {
      if (config !== null) this.#takeConfig(config)
    })
  }

  #takeConfig(config: ResolverConfig): void {
    this.#config = config
    this.#query.setServers(config.servers)
    this.#cache.clear()
    this.#inFlight = new Map()
  }

  async #ask(name: string, family: Family): Promise<Resolution> {
    const config = this.#config
    let resolution = refused('NOT_FOUND', `the name ${name} does not exist`, 'target')
    for (const candidate of this.#candidates(name)) {
      resolution = this.#resolutionOf(name, family, await this.#query.ask(candidate, family))
      if (resolution.problem?.code !== 'NOT_FOUND') break
    }
    if (resolution.expiresAtMs > 0 && config === this.#config) this.#cache.set(name, family, resolution)
    return resolution
  }

  /** A short name is tried with the search suffixes first; one with enough dots is queried as it is. */
  #candidates(name: string): readonly string[] {
    if (name.endsWith('.')) return [name.slice(0, -1)]
    const dots = name.split('.').length - 1
    if (dots >= this.#config.ndots) return [name]
    const suffixed = this.#config.search.map((suffix) => `${name}.${suffix}`)
    return [...suffixed.filter((candidate) => candidate.length <= 253), name]
  }

  /** IPv4 comes first: a machine without IPv6 then wastes no attempt. */
  #resolutionOf(name: string, family: Family, answers: readonly FamilyAnswer[]): Resolution {
    const found = answers.filter((answer) => answer.kind === 'addresses')
    if (found.length > 0) {
      const addresses = found.flatMap((answer) => answer.addresses)
      return { addresses, problem: null, expiresAtMs: this.#expiry(found) }
    }
    const failed = answers.find((answer) => answer.kind === 'failed')
    if (failed !== undefined) return { addresses: [], problem: failed.problem, expiresAtMs: 0 }
    const missing = answers.filter((answer) => answer.kind === 'none')
    const message = missing.some((answer) => answer.nameExists)
      ? `the name ${name} has no ${family === 'any' ? 'IP' : familyWord(family)} address`
      : `the name ${name} does not exist`
    return { ...refused('NOT_FOUND', message, 'target'), expiresAtMs: this.#expiry(missing) }
  }

  #expiry(answers: readonly { readonly ttlSeconds: number }[]): number {
    let ttlSeconds = MAX_TTL_SECONDS
    for (const answer of answers) ttlSeconds = Math.min(ttlSeconds, answer.ttlSeconds)
    return this.#clock.monotonicMs() + Math.max(ttlSeconds, MIN_TTL_SECONDS) * 1_000
  }
}

function refused(code: string, message: string, evidence: 'target' | 'local'): Resolution {
  return { addresses: [], problem: { code, message, evidence }, expiresAtMs: 0 }
}

function literalResolution(address: string, version: 4 | 6, family: Family): Resolution {
  const fits = family === 'any' || (family === 'ipv4') === (version === 4)
  if (!fits) return refused('NOT_FOUND', `${address} is not an ${familyWord(family)} address`, 'target')
  return { addresses: [address], problem: null, expiresAtMs: 0 }
}

function localResolution(name: string, local: HostAddresses, family: Family): Resolution {
  const addresses = family === 'any' ? [...local.ipv4, ...local.ipv6] : local[family]
  if (addresses.length > 0) return { addresses, problem: null, expiresAtMs: 0 }
  return refused('NOT_FOUND', `the name ${name} has no ${familyWord(family)} address`, 'target')
}

function familyWord(family: Family): string {
  return family === 'ipv6' ? 'IPv6' : 'IPv4'
}
