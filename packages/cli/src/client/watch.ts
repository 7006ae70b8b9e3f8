// client/watch.ts: shows the same view again and again until a person ends it. On a terminal in place; anywhere else
// each view follows the one before. A service that is away for a moment is said so and asked again.
import { setTimeout as pause } from 'node:timers/promises'
import type { FlagSpec, ParsedArguments } from '../arguments.ts'
import { durationFlag, switchValue } from './flag-values.ts'
import { mayPass } from './may-pass.ts'
import type { Session } from './session.ts'

export const watchFlags: Readonly<Record<string, FlagSpec>> = {
  watch: { kind: 'switch', short: 'w', summary: 'Show it again and again, in place on a terminal.' },
  'watch-interval': { kind: 'value', valueName: 'DURATION', summary: 'Time between two looks. Default 5s.' },
}

const defaultIntervalMs = 5_000
const longestInterval = { ms: 24 * 3_600_000, words: '24h' }

/** Prints once, or until interrupted with --watch. */
export async function printOrWatch(
  parsed: ParsedArguments,
  session: Session,
  view: () => Promise<string>,
): Promise<number> {
  const isWatching = switchValue(parsed, 'watch')
  const intervalMs = durationFlag(parsed, 'watch-interval', longestInterval)?.ms ?? defaultIntervalMs
  if (!isWatching) {
    session.print(await view())
    return 0
  }
  const { signal } = session
  while (!signal.aborted) {
    try {
      show(session, await view())
    } catch (error) {
      if (signal.aborted) break
      if (!mayPass(error)) throw error
      session.sayError(error)
    }
    await pause(intervalMs, undefined, { signal }).catch(() => {})
  }
  return 0
}

function show({ terminal: { stdout } }: Session, view: string): void {
  if (!stdout.isTerminal) {
    stdout.write(`${view}\n`)
    return
  }
  const lines = view.split('\n')
  // More lines than the screen has would scroll, and the next view would not stand in their place.
  const fitting = stdout.rows === null ? lines : lines.slice(0, Math.max(1, stdout.rows - 1))
  stdout.write(`\u001b[H\u001b[J${fitting.join('\n')}\n`)
}
