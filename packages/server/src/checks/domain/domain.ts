// checks/domain/domain.ts: is a domain registered, and for how long? Asks the registry by RDAP, never by WHOIS, and seldom:
// registries limit how often they may be asked, so most checks judge the last answer anew (registry-desk.ts).
import { type Clock, systemClock } from '../../platform/clock.ts'
import { closed, HttpUrl, type Infer } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { dayOf, quote } from '../../platform/wording.ts'
import {
  assertion,
  CheckFailure,
  type CheckRun,
  defineCheck,
  fact,
  success,
  UnusableConfig,
} from '../driver.ts'
import { rdapServerOf, registeredName, topLevelOf } from './rdap-servers.ts'
import { type Registration, saysStatus } from './registration.ts'
import { type Question, RegistryDesk, type Reply, spanInWords } from './registry-desk.ts'

/** Registrars remind 30 days before the end; by then something should have happened. */
const DEFAULT_WARN_DAYS = 30
const DAY_MS = 86_400_000

const fields = closed({
  name: Type.Refine(
    Type.String({
      minLength: 3,
      maxLength: 253,
      description: 'The registered domain, such as shop.example; also with letters beyond ASCII.',
    }),
    (name) => registeredName(name) !== null,
    () => 'must be a domain with its top-level domain, such as shop.example',
  ),
  warn_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 36_500,
      default: DEFAULT_WARN_DAYS,
      description:
        'A success carries a warning when the registration expires in less than so many days, or when the registry does ' +
        'not say when it expires. 0: no such warning.',
    }),
  ),
  critical_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 36_500,
      default: 0,
      description: 'The check fails when the registration expires in less than so many days.',
    }),
  ),
  registrar_lock: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether the check fails when the domain is not locked against transfers to another registrar.',
    }),
  ),
  server: Type.Optional(
    Type.Refine(
      Type.Unsafe<string>({
        ...HttpUrl,
        description:
          'The base URL of the RDAP server to ask, such as https://rdap.denic.de/. By default the one that IANA lists ' +
          'for the top-level domain; some registries have one that is not listed.',
      }),
      (server) => serverMistake(server) === null,
      (server) => serverMistake(server) ?? '',
    ),
  ),
})

type DomainConfig = Infer<typeof fields>

const config = Type.Refine(
  fields,
  (config) => mistakeOf(config) === null,
  (config) => mistakeOf(config) ?? '',
)

/** Fields may still be of other types here, which has its own message. */
function mistakeOf({ name, server }: { readonly [Field in keyof DomainConfig]?: unknown }): string | null {
  const registered = typeof name === 'string' ? registeredName(name) : null
  if (registered === null || server !== undefined || rdapServerOf(registered) !== null) return null
  return 'needs server: IANA lists no RDAP server for its top-level domain; give the URL of its registry, if it has one'
}

function serverMistake(server: string): string | null {
  const url = URL.parse(server)
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL'
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isBare ? null : 'must end after its path, and have no user or password'
}

/** The clock says how old an answer is. */
export function domainCheck(clock: Clock) {
  const desk = new RegistryDesk(clock)
  return defineCheck({
    summary: 'Asks the registry of a domain by RDAP how long it is registered, at most once per hour.',
    config,
    // The pace of the queries is common to all of them.
    inOneThread: true,
    target: ({ name, server }) =>
      server === undefined ? name : `${name} at ${URL.parse(server)?.host ?? 'a server'}`,
    async check(config, run) {
      const reply = await desk.ask(questionOf(config), run)
      observe(reply, run)
      const { registration } = reply
      const asOf = reply.ageMs === 0 ? '' : `, as of ${minuteOf(reply.atWallMs)}`
      if (registration === null) throw new CheckFailure(`${reply.peer} knows no domain ${config.name}${asOf}`)
      const problem = problemOf(registration, config, run, clock.wallMs())
      if (problem !== null) throw new CheckFailure(`${problem}${asOf}`)
      const warning = warningOf(registration, config, clock.wallMs())
      return { ...success(reply.latencyMs), warning: warning === null ? null : `${warning}${asOf}` }
    },
  })
}

export const domain = domainCheck(systemClock)

function questionOf({ name, server }: DomainConfig): Question {
  // Values of credentials were not judged with the rest.
  const registered = registeredName(name)
  if (registered === null) throw new UnusableConfig('the credential of name does not hold a domain')
  if (server !== undefined && serverMistake(server) !== null)
    throw new UnusableConfig(`the credential of server ${serverMistake(server)}`)
  const base = server ?? rdapServerOf(registered)
  if (base === null)
    throw new UnusableConfig(`IANA lists no RDAP server for ${quote(topLevelOf(registered))}`)
  return { name: registered, server: base.endsWith('/') ? base : `${base}/` }
}

function observe({ peer, registration, ageMs }: Reply, { observe }: CheckRun): void {
  if (observe === undefined) return
  observe(fact('registry', peer))
  observe(fact('age of its answer', ageMs === 0 ? 'asked now' : spanInWords(ageMs)))
  if (registration === null) return
  const { expiresAt, statuses } = registration
  observe(
    fact('expires', expiresAt === null ? 'the registry does not say' : new Date(expiresAt).toISOString()),
  )
  observe(fact('status', statuses.length === 0 ? 'none' : statuses.join(', ')))
}

/** Why the check fails, as a sentence. */
function problemOf(
  registration: Registration,
  { name, critical_days = 0, registrar_lock = false }: DomainConfig,
  run: CheckRun,
  nowMs: number,
): string | null {
  const deleted = saysStatus(registration, 'redemption period', 'pending delete', 'pending restore')
  if (deleted !== null)
    return `${name} is being deleted (status ${quote(deleted)}): its registrar may still restore it`
  const held = saysStatus(registration, 'client hold', 'server hold')
  if (held !== null) return `${name} is on hold and not in DNS (status ${quote(held)})`
  const end = endProblem(name, registration.expiresAt, critical_days, nowMs)
  if (end !== null || !registrar_lock) return end
  const lock = saysStatus(registration, ...transferLocks)
  run.observe?.(assertion('lock against transfers', lock ?? 'none', 'one', lock !== null))
  return lock === null ? `${name} is not locked against transfers to another registrar` : null
}

const transferLocks = [
  'client transfer prohibited',
  'server transfer prohibited',
  'transfer prohibited',
  'locked',
] as const

function warningOf(
  { expiresAt }: Registration,
  { name, warn_days = DEFAULT_WARN_DAYS }: DomainConfig,
  nowMs: number,
): string | null {
  if (warn_days === 0) return null
  if (expiresAt === null) return `the registry does not say when ${name} expires`
  return endProblem(name, expiresAt, warn_days, nowMs)
}

function endProblem(name: string, expiresAt: number | null, days: number, nowMs: number): string | null {
  if (expiresAt === null) return null
  const leftMs = expiresAt - nowMs
  if (leftMs <= 0) return `the registration of ${name} expired on ${dayOf(expiresAt)}`
  if (leftMs >= days * DAY_MS) return null
  return `the registration of ${name} expires on ${dayOf(expiresAt)}, in less than ${days === 1 ? 'a day' : `${days} days`}`
}

function minuteOf(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
