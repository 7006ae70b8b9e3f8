// api/host-check.ts: whether a request was meant for this service. Without a token, every client that can reach the
// listener is answered, so by DNS rebinding a web page could read the fleet through a visitor's browser. Such a request
// still carries the page's own host name: every name in a request must be one of ours.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { canonicalHostName } from '../platform/network/host-name.ts'
import { UsageError } from '../platform/usage-error.ts'
import { ApiError } from '../requests/problem.ts'

export interface OwnNames {
  /** The host of the listener. */
  readonly listen: string
  readonly publicUrl?: string | null
  readonly allowedHosts?: readonly string[]
}

/** An address in brackets, or a name without delimiters; then perhaps a port. */
const authority = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([^\s:/?#@\\[\]]{0,255}))(?::[0-9]{0,5})?$/
const absoluteTarget = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

export class HostCheck {
  /** Null if a credential is required: a page of another site cannot send one. */
  readonly #accepted: ReadonlySet<string> | null

  constructor({ listen, publicUrl = null, allowedHosts = [] }: OwnNames, needsCredential: boolean) {
    const allowed = allowedHosts.map(nameIn)
    const publicHost = publicUrl === null ? null : (URL.parse(publicUrl)?.hostname ?? null)
    const names = ['localhost', listen, ...(publicHost === null ? [] : [publicHost]), ...allowed]
    this.#accepted = needsCredential ? null : new Set(names.map(plainName).filter((name) => name !== ''))
  }

  /** Null if the request may go on. What HTTP itself forbids is refused even if names are not compared. */
  refusalOf(request: IncomingMessage): ApiError | null {
    const given = hostFields(request.rawHeaders)
    if (given.length > 1) return malformed('The request has several Host headers; send one.')
    if (given.length === 0 && request.httpVersion === '1.1')
      return malformed('The request names no host; send a Host header.')
    const target = absoluteTarget.exec(request.url ?? '')?.[1]
    if (target !== undefined) given.push(target)
    const names = given.map(hostIn)
    if (names.includes(null))
      return malformed(
        'The host of the request is not a host name or address; send one, with or without a port.',
      )
    return this.#accepted === null ? null : misdirected(names as string[], this.#accepted)
  }
}

function misdirected(names: readonly string[], accepted: ReadonlySet<string>): ApiError | null {
  const foreign = names.find((name) => isIP(name) === 0 && !accepted.has(name))
  if (foreign === undefined && names.length > 0) return null
  const named = foreign === undefined || foreign === '' ? 'names no host' : `is for the host "${foreign}"`
  return new ApiError(
    'misdirected_request',
    `The request ${named}. Without a token this service answers only to IP addresses and to ${[...accepted].join(', ')}; ` +
      'use one of these, or add the name to the setting allowed_hosts (PULSEWARD_ALLOWED_HOSTS).',
  )
}

function malformed(detail: string): ApiError {
  return new ApiError('invalid_request', detail)
}

/** Node keeps only the first of several Host headers; a proxy in front of us may have used another. */
function hostFields(rawHeaders: readonly string[]): string[] {
  const found: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') found.push(rawHeaders[index + 1]!)
  }
  return found
}

/** The host without its port; null if the text cannot be a host. */
function hostIn(text: string): string | null {
  const [, address, name] = authority.exec(text) ?? []
  if (address !== undefined) return isIP(address) === 6 ? address : null
  return name === undefined ? null : plainName(name)
}

/** In lower case and without the trailing dot: both mean the same host. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

/** Names travel in ASCII (punycode), however the settings spell them. */
function nameIn(text: string): string {
  if (isIP(text) !== 0) return text
  // Must be a name alone: from anything else, the conversion to ASCII silently keeps what it takes for the host.
  const name = authority.exec(text)?.[2] === text ? canonicalHostName(text) : null
  if (name !== null) return name
  throw new UsageError(
    `allowed_hosts: "${text}" is not a host name; write the name alone, without scheme, port and path, such as status.example.`,
  )
}
