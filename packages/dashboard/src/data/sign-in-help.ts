// data/sign-in-help.ts: where a token is found, which the service tells only to browsers on its own machine.
import { type SignInHelp, signInHelpPath } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { send } from './request.ts'
import { useReading } from './use-reading.ts'

const seldomMs = 60_000

/** Read like the session: its answer does not mean that the rest can be read without signing in. */
export function useSignInHelp(): Reading<SignInHelp> {
  return useReading('sign-in-help', signInHelpPath, {
    everyMs: seldomMs,
    read: async (path, signal) => (await (await send(path, signal)).json()) as SignInHelp,
  })
}
