// client/watch.ts: shows the same view repeatedly until the user ends it: in place on a terminal, one after
// another elsewhere. If the service is unreachable for a moment, it says so and asks again.
import { setTimeout as pause } from 'node:timers/promises'
import type { FlagSpec, ParsedArguments } from '../arguments.ts'
import { durationFlag, switchValue } from './flag-values.ts'
import { mayPass } from './may-pass.ts'
import type { View } from './output.ts'
import type { Session } from './session.ts'
import { cutToWidth, displayWidth } from './table/display-width.ts'

export const watchFlags: Readonly<Record<string, FlagSpec>> = {
  watch: { kind: 'switch', short: 'w', summary: 'Update it repeatedly, in place on a terminal.' },
  'watch-interval': { kind: 'value', valueName: 'DURATION', summary: 'Time between updates. Default 5s.' },
}

const defaultIntervalMs = 5_000
const longestInterval = { ms: 24 * 3_600_000, words: '24h' }

/** Prints once, or with --watch until interrupted. */
export async function printOrWatch(
  parsed: ParsedArguments,
  session: Session,
  view: () => Promise<View>,
): Promise<number> {
  const isWatching = switchValue(parsed, 'watch')
  const intervalMs = durationFlag(parsed, 'watch-interval', longestInterval)?.ms ?? defaultIntervalMs
  if (!isWatching) {
    session.show(await view())
    return 0
  }
  const { signal } = session
  while (!signal.aborted) {
    try {
      showInPlace(session, await view())
    } catch (error) {
      if (signal.aborted) break
      if (!mayPass(error)) throw error
      session.sayError(error)
    }
    await pause(intervalMs, undefined, { signal }).catch(() => {})
  }
  return 0
}

/** A hint is printed below the view: on stderr it would push the view out of its place. */
function showInPlace({ terminal: { stdout } }: Session, { text, hint }: View): void {
  if (!stdout.isTerminal) {
    stdout.write(`${text}\n`)
    return
  }
  const hints = hint === null ? [] : [cutToWidth(hint, stdout.columns ?? displayWidth(hint))]
  const lines = text.split('\n')
  // More lines than the screen has would scroll, and the next view would not replace them.
  const room = stdout.rows === null ? lines.length : Math.max(1, stdout.rows - 1 - hints.length)
  stdout.write(`\u001b[H\u001b[J${[...lines.slice(0, room), ...hints].join('\n')}\n`)
}
