// commands/health.ts: `health` and `ready`: whether the process is alive, and whether the service can do its
// work. For people and for probes of other systems: the exit code is the answer.
import type { ReadinessReason } from '@pulseward/contract'
import { readinessWords } from '@pulseward/contract/v1/words'
import { clientCommand } from '../client/client-command.ts'
import { noOperands } from '../client/flag-values.ts'
import { formatFlag, formatFrom, formatted } from '../client/output.ts'
import { notItsAnswer } from '../client/recognize.ts'
import { spaced } from '../client/subjects/words.ts'
import { facts } from '../client/table/block.ts'
import { moment } from '../client/table/values.ts'

export const health = clientCommand({
  summary: 'is the process alive? exit 0 or 3',
  usage: '[flags]',
  flags: { output: formatFlag },
  examples: ['pulseward health', 'pulseward health --server https://pulseward.example --token-file token'],
  async run(parsed, session) {
    noOperands(parsed)
    const format = formatFrom(parsed)
    const { data } = await session.client.v1.getLive({}, { signal: session.signal })
    session.show(formatted(session.terminal, format, data, () => [facts([['Status', data.status]])]))
    return 0
  },
})

export const ready = clientCommand({
  summary: 'can the service do its work? exit 0 or 1',
  usage: '[flags]',
  flags: { output: formatFlag },
  examples: ['pulseward ready', 'pulseward ready -o json'],
  async run(parsed, session) {
    noOperands(parsed)
    const format = formatFrom(parsed)
    const { data } = await session.client.v1.getReady({}, { signal: session.signal })
    // Refuses any other status, since the exit code depends on it.
    if (data.status !== 'ready' && data.status !== 'not_ready') throw notItsAnswer('getReady')
    const known =
      'projection_fresh' in data
        ? ([
            ['Admission initialized', data.admission_initialized],
            ['Controller progress', moment(data.controller_progress_at)],
            ['Storage available', data.storage_available],
            ['Projection fresh', data.projection_fresh],
          ] as const)
        : ([['Snapshot', moment(data.snapshot_at)]] as const)
    session.show(
      formatted(session.terminal, format, data, () => [
        facts([['Status', spaced(data.status)], ['Why', whyNot(data.reasons)], ...known]),
      ]),
    )
    return data.status === 'ready' ? 0 : 1
  },
})

function whyNot(reasons: readonly ReadinessReason[] = []): string | null {
  // A newer service may have further reasons.
  return reasons.length === 0 ? null : reasons.map((reason) => readinessWords[reason] ?? reason).join(' ')
}
