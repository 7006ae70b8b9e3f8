// platform/network/address-query.ts: queries the DNS for the addresses of one name: both families, following aliases, one
// server after another. Never rejects because of what a server does: a failure is part of the answer.
import type { ResolutionProblem } from './address-cache.ts'
import { DnsClient } from './dns-client.ts'
import { type DnsMessage, negativeTtlSeconds, recordTypes } from './dns-message.ts'
import type { DnsServer } from './dns-server.ts'
import { ConnectError, type Family } from './network.ts'

/** Bounds on how long an answer may be cached; a negative answer without a TTL gets the minimum. */
export const MIN_TTL_SECONDS = 1
export const MAX_TTL_SECONDS = 86_400
const MAX_NEGATIVE_TTL_SECONDS = 60
/** A longer chain is broken or hostile. */
const MAX_ALIASES = 12
/** Once one family has answered, the other gets this long: a resolver that drops AAAA queries must not cost a check. */
const SECOND_FAMILY_GRACE_MS = 50

export type FamilyAnswer =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[]; readonly ttlSeconds: number }
  | { readonly kind: 'none'; readonly nameExists: boolean; readonly ttlSeconds: number }
  | { readonly kind: 'failed'; readonly problem: ResolutionProblem }

export class AddressQuery implements Disposable {
  readonly #client = new DnsClient()
  #servers: readonly DnsServer[]
  readonly #serverTimeoutMs: number
  /** The server that answered last is queried first: a dead one costs its timeout once, not every time. */
  #preferred = 0

  constructor(servers: readonly DnsServer[], serverTimeoutMs: number) {
    this.#servers = servers
    this.#serverTimeoutMs = serverTimeoutMs
  }

  get preferredServer(): DnsServer {
    return this.#servers[this.#preferred]!
  }

  /** Queries in flight stay with their servers. */
  setServers(servers: readonly DnsServer[]): void {
    this.#servers = servers
    this.#preferred = 0
  }

  /** One answer for each requested family that answered in time, IPv4 first. */
  async ask(name: string, family: Family): Promise<FamilyAnswer[]> {
    if (family === 'ipv4') return [await this.#askChain(name, recordTypes.A)]
    if (family === 'ipv6') return [await this.#askChain(name, recordTypes.AAAA)]
    return bothWithGrace(this.#askChain(name, recordTypes.A), this.#askChain(name, recordTypes.AAAA))
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]()
  }

  /** Follows aliases that lead out of one answer by querying again, within the bound of the whole chain. */
  async #askChain(name: string, type: number): Promise<FamilyAnswer> {
    let asked = name
    let ttlSeconds = MAX_TTL_SECONDS
    for (let aliases = 0; aliases <= MAX_ALIASES; ) {
      const message = await this.#askServers(asked, type)
      if (!('rcode' in message)) return { kind: 'failed', problem: message }
      const answer = readAddresses(message, asked, type)
      ttlSeconds = Math.min(ttlSeconds, answer.ttlSeconds)
      if (answer.addresses.length > 0) return { kind: 'addresses', addresses: answer.addresses, ttlSeconds }
      if (answer.aliases === 0 || message.rcode === 'NXDOMAIN') {
        const negative = Math.min(negativeTtlSeconds(message) ?? MIN_TTL_SECONDS, MAX_NEGATIVE_TTL_SECONDS)
        const nameExists = message.rcode !== 'NXDOMAIN'
        return { kind: 'none', nameExists, ttlSeconds: Math.min(negative, ttlSeconds) }
      }
      aliases += answer.aliases
      asked = answer.lastName
    }
    const problem = { code: 'ALIASES', message: `the name ${name} has too many aliases`, evidence: 'target' }
    return { kind: 'failed', problem: problem as ResolutionProblem }
  }

  /** Queries one server after another until one gives a usable answer. */
  async #askServers(name: string, type: number): Promise<DnsMessage | ResolutionProblem> {
    const servers = this.#servers
    let problem: ResolutionProblem | null = null
    const first = this.#preferred
    for (let i = 0; i < servers.length; i++) {
      const index = (first + i) % servers.length
      const server = servers[index]!
      try {
        const message = await this.#client.query(server, name, type, this.#serverTimeoutMs)
        if (message.rcode === 'NOERROR' || message.rcode === 'NXDOMAIN') {
          if (servers === this.#servers) this.#preferred = index
          return message
        }
        problem ??= serverProblem(server, `answered ${message.rcode} for ${name}`)
      } catch (error) {
        problem ??= this.#unanswered(server, error)
      }
    }
    return problem!
  }

  #unanswered(server: DnsServer, error: unknown): ResolutionProblem {
    if (!(error instanceof ConnectError)) throw error
    if (error.code !== 'TIMEOUT') return { code: 'RESOLVER', message: error.message, evidence: 'local' }
    const message = `no answer from the resolver ${server.address} within ${this.#serverTimeoutMs / 1_000} s`
    return { code: 'RESOLVER', message, evidence: 'local' }
  }
}

/** A failing resolver may be our own fault (no uplink): its failure is not evidence about the target. */
function serverProblem(server: DnsServer, what: string): ResolutionProblem {
  return { code: 'RESOLVER', message: `the resolver ${server.address} ${what}`, evidence: 'local' }
}

/** Both answers; once one has addresses, waits only a moment longer for the other. */
function bothWithGrace(ipv4: Promise<FamilyAnswer>, ipv6: Promise<FamilyAnswer>): Promise<FamilyAnswer[]> {
  return new Promise((resolve, reject) => {
    const answers: (FamilyAnswer | undefined)[] = [undefined, undefined]
    let missing = 2
    let grace: NodeJS.Timeout | undefined
    const end = (): void => {
      clearTimeout(grace)
      resolve(answers.filter((answer) => answer !== undefined))
    }
    const take = (index: number, answer: FamilyAnswer): void => {
      answers[index] = answer
      missing--
      if (missing === 0) end()
      else if (answer.kind === 'addresses') grace = setTimeout(end, SECOND_FAMILY_GRACE_MS)
    }
    ipv4.then((answer) => take(0, answer), reject)
    ipv6.then((answer) => take(1, answer), reject)
  })
}

interface AddressAnswer {
  readonly addresses: readonly string[]
  /** The shortest TTL on the chain. */
  readonly ttlSeconds: number
  /** The name at the end of the chain: to be queried next if it has no address here. */
  readonly lastName: string
  readonly aliases: number
}

/** Follows the chain of aliases; records of other names are ignored. */
function readAddresses(message: DnsMessage, name: string, type: number): AddressAnswer {
  let ttlSeconds = Number.POSITIVE_INFINITY
  let lastName = name
  let aliases = 0
  for (; aliases <= MAX_ALIASES; aliases++) {
    const alias = message.answers.find(
      (record) => record.type === recordTypes.CNAME && record.name === lastName,
    )
    if (alias === undefined) break
    ttlSeconds = Math.min(ttlSeconds, alias.ttlSeconds)
    lastName = alias.data
  }
  const addresses: string[] = []
  for (const record of message.answers) {
    if (record.type !== type || record.name !== lastName) continue
    ttlSeconds = Math.min(ttlSeconds, record.ttlSeconds)
    if (!addresses.includes(record.data)) addresses.push(record.data)
  }
  return { addresses, ttlSeconds, lastName, aliases }
}
