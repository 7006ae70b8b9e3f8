// status-writing/page-token.ts: makes a token for a status page whose access is token. It is printed once and kept nowhere: the
// page knows its digest.
import { createHash, randomBytes } from 'node:crypto'
import { UsageError } from '@pulseward/server'
import type { ParsedArguments } from '../arguments.ts'
import type { Session } from '../client/session.ts'

/** 192 bits: nothing guesses one. */
const randomByteCount = 24

export async function makeToken({ operands }: ParsedArguments, session: Session): Promise<number> {
  const [, unexpected] = operands
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
  const token = randomBytes(randomByteCount).toString('base64url')
  session.print(`token: ${token}`)
  session.print(`digest: ${createHash('sha256').update(token).digest('hex')}`)
  session.say('Write the digest under token_digests of the page, and give the token to its readers.')
  return 0
}
