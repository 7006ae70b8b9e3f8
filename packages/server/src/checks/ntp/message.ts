// checks/ntp/message.ts: the 48 bytes of NTP version 4 (RFC 5905) as far as a client needs them. The time in
// our request is random: a server only returns it, and a forger that cannot see the request cannot guess it.
import { randomBytes } from 'node:crypto'

const MESSAGE_BYTES = 48
const VERSION_4_CLIENT = 0x23
const SERVER_MODE = 4
const LEAP_UNSYNCHRONISED = 3
/** RFC 5905 uses 16 for unsynchronised, and many servers write 0. */
const WORST_STRATUM = 15
/** Codes in place of the reference id with which a server turns a client away; others describe its own state. */
const KISS_CODES = ['RATE', 'DENY', 'RSTR'] as const

/** Seconds from 1900, the NTP epoch, to 1970. */
const EPOCH_OFFSET_S = 2_208_988_800
const ERA_MS = 2 ** 32 * 1_000

export interface NtpAnswer {
  readonly isSynchronised: boolean
  readonly kiss: (typeof KISS_CODES)[number] | null
  /** When the server received the request and when it answered, by its own clock, in epoch milliseconds. */
  readonly receivedAtMs: number
  readonly sentAtMs: number
}

export function ntpRequest(): Buffer {
  const request = Buffer.alloc(MESSAGE_BYTES)
  request[0] = VERSION_4_CLIENT
  randomBytes(8).copy(request, 40)
  return request
}

/** The answer to this request; 'other' if it answers another one, 'garbage' if it is not a server's answer. */
export function readNtpAnswer(
  bytes: Buffer,
  request: Buffer,
  nowMs: number,
): NtpAnswer | 'other' | 'garbage' {
  const [first = 0, stratum = 0] = bytes
  const version = (first >> 3) & 0x07
  const isAnswer = bytes.length >= MESSAGE_BYTES && (first & 0x07) === SERVER_MODE
  if (!isAnswer || version < 1 || version > 4) return 'garbage'
  if (!bytes.subarray(24, 32).equals(request.subarray(40, 48))) return 'other'
  const leap = first >> 6
  const reference = bytes.toString('latin1', 12, 16)
  return {
    isSynchronised: leap !== LEAP_UNSYNCHRONISED && stratum >= 1 && stratum <= WORST_STRATUM,
    kiss: stratum === 0 ? (KISS_CODES.find((kiss) => kiss === reference) ?? null) : null,
    receivedAtMs: readTime(bytes, 32, nowMs),
    sentAtMs: readTime(bytes, 40, nowMs),
  }
}

/** The seconds wrap every 136 years (next in 2036), so the time closest to ours is meant. */
function readTime(bytes: Buffer, at: number, nowMs: number): number {
  const ms = (bytes.readUInt32BE(at) - EPOCH_OFFSET_S + bytes.readUInt32BE(at + 4) / 2 ** 32) * 1_000
  return ms + Math.round((nowMs - ms) / ERA_MS) * ERA_MS
}
