// commands/metrics.ts: copies the Prometheus text of a service to stdout. On a terminal, control characters
// are made harmless; anywhere else it is byte for byte what the service sent.
import type { NodeWriter } from '@pulseward/client'
import { clientCommand } from '../client/client-command.ts'
import { noOperands } from '../client/flag-values.ts'
import { plain } from '../client/plain-text.ts'
import type { TextOutput } from '../terminal.ts'

export const metrics = clientCommand({
  summary: 'print the metrics in the Prometheus text format',
  usage: '[flags]',
  flags: {},
  examples: ['pulseward metrics', 'pulseward metrics | grep pulseward_checks_total'],
  async run(parsed, session) {
    noOperands(parsed)
    const { stdout } = session.terminal
    await session.client.streamMetrics(stdout.isTerminal ? harmless(stdout) : stdout, {
      signal: session.signal,
    })
    return 0
  },
})

function harmless(output: TextOutput): NodeWriter {
  const decoder = new TextDecoder()
  return {
    write: (chunk, done) =>
      output.write(decoder.decode(chunk, { stream: true }).split('\n').map(plain).join('\n'), done),
  }
}
