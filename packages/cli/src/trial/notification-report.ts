// trial/notification-report.ts: what became of a test message, as a sentence and an exit code, for this process and a service. A provider
// that was never connected to has neither accepted nor refused.
import type { v2 } from '@pulseward/contract'
import { plain } from '../client/plain-text.ts'
import type { Terminal } from '../terminal.ts'

export function tellNotification(
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
  { outcome, reason }: v2.NotificationTrial,
  destination: string,
): number {
  const why = plain(reason ?? 'no reason was given')
  switch (outcome) {
    case 'delivered': {
      const note = reason === undefined ? '' : ` (${why})`
      stdout.write(`The test message to ${destination} was delivered${note}.\n`)
      return 0
    }
    case 'notReached':
      stderr.write(`pulseward: ${destination} was not reached: ${why}.\n`)
      return 3
    case 'unknown':
      stdout.write(`It is unknown whether the test message to ${destination} was delivered: ${why}.\n`)
      return 1
    case 'rejected':
      stdout.write(`The test message to ${destination} was not delivered: ${why}.\n`)
      return 1
  }
}
