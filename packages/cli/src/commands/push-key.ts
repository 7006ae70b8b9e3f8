// commands/push-key.ts: makes a key for a push monitor. It is printed once, alone on stdout, and kept nowhere.
import { newPushKey, UsageError } from '@pulseward/server'
import type { Command } from '../command.ts'

export const pushKey: Command = {
  summary: 'make a key for a push monitor',
  usage: 'create',
  firstWords: ['create'],
  flags: {},
  examples: ['(umask 077; pulseward push-key create > backup.key)'],
  async run({ operands: [verb, unexpected] }, { stdout }) {
    if (verb !== 'create') throw new UsageError('Say what to do: pulseward push-key create.')
    if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
    stdout.write(`${newPushKey()}\n`)
    return 0
  },
}
