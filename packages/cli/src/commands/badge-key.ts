// commands/badge-key.ts: makes a key for a badge. It is printed once, alone on stdout, and kept nowhere.
import { randomBytes } from 'node:crypto'
import { UsageError } from '@pulseward/server'
import type { Command } from '../command.ts'

/** 144 bits: nobody guesses one. */
const randomByteCount = 18

export const badgeKey: Command = {
  summary: 'make a key for a badge of a status page',
  usage: 'create',
  firstWords: ['create'],
  flags: {},
  examples: ['pulseward badge-key create'],
  async run({ operands: [verb, unexpected] }, { stdout }) {
    if (verb !== 'create') throw new UsageError('Say what to do: pulseward badge-key create.')
    if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
    stdout.write(`${randomBytes(randomByteCount).toString('base64url')}\n`)
    return 0
  },
}
