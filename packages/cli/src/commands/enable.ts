// commands/enable.ts: `enable` and `disable`: narrow, conditional patches of one monitor, or of all with certain labels.
import { UsageError } from '@pulseward/server'
import { clientCommand } from '../client/client-command.ts'
import { controlMany, manyFlags, manyOperations, selectorFrom } from '../client/control-many.ts'
import { withMonitor } from '../client/named-monitor.ts'
import { formatFlag, formatFrom, formatted } from '../client/output.ts'
import { orNoRevision, revisionFlag, revisionFrom } from '../client/revision.ts'
import type { Session } from '../client/session.ts'
import { note } from '../client/table/block.ts'

export const enable = switchCommand('enable', true)
export const disable = switchCommand('disable', false)

function switchCommand(name: 'enable' | 'disable', enabled: boolean) {
  return clientCommand({
    summary: enabled ? 'check a monitor again' : 'stop checking a monitor, until it is enabled',
    usage: 'MONITOR|-l SELECTOR [flags]',
    flags: { ...manyFlags, revision: revisionFlag, output: formatFlag },
    operations: ['PatchMonitor', ...manyOperations],
    examples: [`pulseward ${name} checkout-api`, `pulseward ${name} -l team=payments`],
    lookAgain: ({ operands }) =>
      operands.length === 0
        ? 'pulseward get monitors'
        : `pulseward describe monitor ${monitorIn(operands, name)}`,
    async run(parsed, session) {
      const format = formatFrom(parsed)
      const selector = selectorFrom(parsed)
      if (selector !== null) return controlMany(parsed, session, { verb: name, selector })
      const named = monitorIn(parsed.operands, name)
      const { client, signal, terminal } = session
      await withMonitor(client, named, { signal }, async (id) => {
        const ifMatch = revisionFrom(parsed) ?? (await currentVersion(session, id))
        const { data } = await client.patchMonitor({ id, ifMatch, body: { spec: { enabled } } }, { signal })
        session.show(formatted(terminal, format, data, () => [note(`Monitor ${id} is ${name}d.`)]))
      })
      return 0
    },
  })
}

async function currentVersion({ client, signal }: Session, id: string): Promise<string> {
  const { resourceVersion } = await client.getMonitor({ id }, { signal })
  return orNoRevision(resourceVersion, `monitor ${id}`)
}

/** Accepts the kind before the id, as other commands do. */
function monitorIn(operands: readonly string[], command: string): string {
  const words = operands.join('/').replace(/^monitors?\//, '')
  if (words === '' || words.includes('/')) throw new UsageError(`Name one: pulseward ${command} MONITOR`)
  return words
}
