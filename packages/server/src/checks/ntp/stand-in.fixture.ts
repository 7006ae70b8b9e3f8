// checks/ntp/stand-in.fixture.ts: what a time server answers to a request, with a clock that a test may set wrong.
// Written independently of the service's reader, so that a mistake there cannot be hidden by the same mistake here.

export interface NtpClock {
  /** How far it is ahead of ours. */
  readonly aheadMs?: number
  /** 0 turns the client away, 16 and more is unsynchronised. */
  readonly stratum?: number
  /** 3 is an alarm. */
  readonly leap?: number
  /** Four letters. */
  readonly reference?: string
}

const SECONDS_FROM_1900_TO_1970 = 70n * 365n * 86_400n + 17n * 86_400n

export function ntpReply(request: Buffer, clock: NtpClock = {}): Buffer {
  const { aheadMs = 0, stratum = 2, leap = 0, reference = 'TEST' } = clock
  const reply = Buffer.alloc(48)
  reply[0] = (leap << 6) | (4 << 3) | 4
  reply[1] = stratum
  reply.write(reference, 12, 4, 'latin1')
  request.copy(reply, 24, 40, 48)
  const now = ntpTime(BigInt(Math.round(Date.now() + aheadMs)))
  reply.writeBigUInt64BE(now, 32)
  reply.writeBigUInt64BE(now, 40)
  return reply
}

function ntpTime(epochMs: bigint): bigint {
  const seconds = BigInt.asUintN(32, epochMs / 1_000n + SECONDS_FROM_1900_TO_1970)
  return (seconds << 32n) | (((epochMs % 1_000n) << 32n) / 1_000n)
}
