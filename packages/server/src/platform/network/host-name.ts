// platform/network/host-name.ts: which host names may be resolved. A name that some parsers would take for a
// number (2130706433, 0x7f.1, 0177.0.0.1) is refused: we do not accept it as a literal address, the public
// DNS cannot contain it, and resolving it anyway is a known way around address policies.
import { domainToASCII } from 'node:url'

const PLAIN_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/
const ENDS_IN_A_NUMBER = /(^|\.)([0-9]+|0x[0-9a-f]*)\.?$/

/** The name in lower-case ASCII, or null if it cannot be a host name. */
export function canonicalHostName(host: string): string | null {
  const lower = host.toLowerCase()
  const name = PLAIN_NAME.test(lower) ? lower : domainToASCII(lower)
  if (!PLAIN_NAME.test(name) || ENDS_IN_A_NUMBER.test(name)) return null
  return fitsDns(name) ? name : null
}

function fitsDns(name: string): boolean {
  if (name.length > (name.endsWith('.') ? 254 : 253)) return false
  let labelLength = 0
  for (let i = 0; i < name.length; i++) {
    labelLength = name.charCodeAt(i) === 46 ? 0 : labelLength + 1
    if (labelLength > 63) return false
  }
  return true
}

/** Only in the position of a host: a path may contain an address too. */
const LOOPBACK_TARGET =
  /^(?:\w+:\/\/|\w+ (?:\S+ at )?)?(?:127\.\d+\.\d+\.\d+|localhost|[\w.-]+\.localhost|\[::1\]|::1)(?:[:/]|$)/i

/**
 * Whether a display target is on this machine, judged by its text alone: http://127.0.0.1:80/x, [::1]:53,
 * localhost or A shop.test at 127.0.0.1:53.
 */
export function isLoopbackHost(target: string): boolean {
  return LOOPBACK_TARGET.test(target)
}
