// editions/next-access.ts: access control of `next`, built from its settings: principals and their files,
// sessions of the page, ending open streams, write rates, and how commands on this machine find the service.
import { resolve } from 'node:path'
import { signInUrl } from '@pulseward/contract'
import { type AccessFiles, operatorDigest } from '../access/edit-principals.ts'
import { makeFirstOperator } from '../access/first-operator.ts'
import { type PrincipalSource, principalsInFile } from '../access/principal-source.ts'
import { Principals } from '../access/principals.ts'
import { addressInFiles } from '../access/service-address.ts'
import { sessionsInMemory } from '../access/session-store.ts'
import { Sessions } from '../access/sessions.ts'
import type { SignInLinks } from '../access/sign-in-links.ts'
import { defaultWorkerRates, defaultWriteRates, type WriteRates } from '../access/write-limits.ts'
import { tokenIn } from '../api/authentication.ts'
import { TrustedProxies } from '../api/client-address.ts'
import type { StreamAccess } from '../api/event-hub.ts'
import { ProbeGateway } from '../api/probes/probe-gateway.ts'
import { SessionGate } from '../api/session/session-gate.ts'
import { addressFromHere, isLoopback } from '../config/settings/listen-address.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { dataDirectory } from '../store/data-directory.ts'
import { StoreError } from '../store/store.ts'
import type { Foundation } from './edition.ts'

export function openPrincipals(foundation: Foundation): Principals {
  const { clock, managing, opened } = foundation
  const principals = Principals.open(opened.access?.principals ?? filedPrincipals(foundation), clock)
  principals.onChange(({ problem }) => {
    const words = 'the principals file cannot be used, and the principals that were read before stay in force'
    managing?.problems.report(
      'principals_file',
      problem === null ? null : { words, sentence: problem, count: 1 },
    )
  })
  principals.watch()
  return principals
}

/** The first start creates an operator and logs where its token is. */
function filedPrincipals({ settings, log }: Foundation): PrincipalSource {
  const files = accessFiles(settings)
  const tokenFile = makeFirstOperator(files)
  if (tokenFile !== null) log.info(`the operator "first" was made; its token is in ${tokenFile}`)
  return principalsInFile(files.principals)
}

export function openProbeGateway(
  principals: Principals,
  { remote, settings, clock, log }: Foundation,
): ProbeGateway {
  return new ProbeGateway({ remote, principals, proxies: new TrustedProxies(settings.proxies), clock, log })
}

export function sessionGate(
  principals: Principals,
  links: SignInLinks,
  { clock, settings, opened }: Foundation,
): SessionGate {
  return new SessionGate({
    links,
    operatorTokenFile: accessFiles(settings).operatorToken,
    sessions: new Sessions(principals, clock, opened.access?.sessions ?? sessionsInMemory()),
    principals,
    clock,
    proxies: new TrustedProxies(settings.proxies),
    publicUrl: settings.public_url,
  })
}

/**
 * A link for whoever started the service on a terminal, and so could read the token of the first operator. Null if that
 * token is not there or no longer in force, or if signing in would be refused at the address.
 */
export function firstSignInUrl(
  principals: Principals,
  links: SignInLinks,
  { clock, settings }: Foundation,
  url: string,
): string | null {
  const digest = operatorDigest(accessFiles(settings).operatorToken)
  if (digest === null || principals.inForceOf(digest, clock.wallMs())?.role !== 'operator') return null
  const address = settings.public_url ?? addressFromHere(url)
  const { protocol, hostname } = new URL(address)
  const isPrivate = protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
  return isPrivate ? signInUrl(address, links.make(digest).secret) : null
}

export function streamAccess(principals: Principals, gate: SessionGate, { clock }: Foundation): StreamAccess {
  return {
    ownerOf(request) {
      const token = tokenIn(request.headers.authorization ?? '')
      const principal = token === null ? null : principals.principalOf(token, clock.wallMs())
      if (principal !== null && principal !== 'expired') return principal.digest
      return gate.sessionOf(request)?.key ?? null
    },
    onEnded(end) {
      const forgetPrincipals = principals.onChange(({ ended }) => end(ended))
      const forgetSessions = gate.sessions.onEnded(end)
      return () => {
        forgetPrincipals()
        forgetSessions()
      }
    },
  }
}

/**
 * Records the address, by which commands on this machine find the operator's token. If that fails, commands
 * must be given a token.
 */
export function tellAddress({ settings, opened, log }: Foundation, url: string): Disposable | null {
  // A store in memory has no directory.
  if (opened.store?.isDurable !== true) return null
  try {
    return addressInFiles(dataDirectory(resolve(settings.data))).record(url)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    log.warn(`the address could not be recorded, so commands need --token-file: ${error.message}`)
    return null
  }
}

function accessFiles({ data, principals_file }: Settings): AccessFiles {
  const files = dataDirectory(resolve(data))
  return { ...files, principals: principals_file === null ? files.principals : resolve(principals_file) }
}

export function writeRates(settings: Settings): WriteRates {
  const perSecond = settings['limits.writes_per_second']
  return { ...defaultWriteRates, perSecond, burst: 2 * perSecond }
}

export function workerRates(settings: Settings): WriteRates {
  const perSecond = settings['limits.worker_calls_per_second']
  return { ...defaultWorkerRates, perSecond, burst: 2 * perSecond }
}

/** Whether the origin is the service's own page: under the requested host name, or under its public URL. */
export function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string | null): boolean {
  const url = URL.parse(origin)
  if (url === null) return false
  return url.host === host || (publicUrl !== null && URL.parse(publicUrl)?.origin === url.origin)
}
