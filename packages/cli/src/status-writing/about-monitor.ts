// status-writing/about-monitor.ts: on which pages something can be written about a monitor, and the command that does so with
// everything filled in but the words. An incident of a monitor is never published by itself.
import type { v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import type { ParsedArguments } from '../arguments.ts'
import { everyRow } from '../client/pages.ts'
import type { Session } from '../client/session.ts'

export async function aboutMonitor(parsed: ParsedArguments, session: Session): Promise<number> {
  const [, id, unexpected] = parsed.operands
  if (id === undefined) throw new UsageError('Name a monitor: pulseward status about MONITOR.')
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
  const { client, signal } = session
  const { data: monitor } = await client.getMonitor({ id }, { signal })
  let count = 0
  for await (const page of everyRow(client.listStatusPages, { limit: v2.limits.listLimit }, { signal })) {
    const components = v2.componentsWith(page.spec, monitor)
    if (components.length === 0) continue
    count++
    session.print(commandFor(page, components))
  }
  if (count === 0) session.say(`No status page has the monitor ${id}.`)
  return 0
}

function commandFor(page: wire.StatusPage, components: readonly wire.StatusComponent[]): string {
  const names = components.map(({ name }) => name).join(', ')
  const flags = components.map((component) => `--component ${component.id}=${v2.stateToWrite(component)}`)
  return ['pulseward status post', page.metadata.id, quoted(`Trouble with ${names}`), "'…'", ...flags].join(
    ' ',
  )
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
