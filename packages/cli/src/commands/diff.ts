// commands/diff.ts: shows what `apply` would change, field by field. Exit 0: nothing, 1: something, 2: the
// files are invalid, 3: the service could not say.
import type { v2 as wire } from '@pulseward/client'
import { type Collection, fileFlags, openCollection } from '../client/apply/collection.ts'
import { besideCurrent } from '../client/apply/current-resources.ts'
import { type Difference, differences } from '../client/apply/differences.ts'
import { orMistakes } from '../client/apply/file-mistakes.ts'
import { preflight } from '../client/apply/preflight.ts'
import { sayMistakes } from '../client/apply/report.ts'
import { orWithoutOperations } from '../client/apply/without-operations.ts'
import { clientCommand } from '../client/client-command.ts'
import { noFilesWithoutFlag } from '../client/flag-values.ts'
import { operationsNamed } from '../client/kinds.ts'
import { plain } from '../client/plain-text.ts'
import type { Session } from '../client/session.ts'
import { type Paint, paintFor } from '../client/table/color.ts'

export const diff = clientCommand({
  summary: 'show what apply would change; exit 0 nothing, 1 something',
  usage: '-f FILE|DIR|- [-R]',
  flags: fileFlags,
  operations: ['PreflightCollection', ...operationsNamed('Get'), ...operationsNamed('List')],
  examples: ['pulseward diff -f monitors.yaml', 'pulseward diff -f fleet/ -R'],
  async run(parsed, session) {
    noFilesWithoutFlag(parsed, 'diff')
    return orMistakes(session, 2, async () => {
      using collection = await openCollection(parsed, session)
      const predicted = await orWithoutOperations(
        () => preflight(session, collection),
        // Without a preflight the field differences decide.
        async (): Promise<wire.Preflight> => ({ valid: true }),
      )
      if (!predicted.valid) {
        await sayMistakes(session, collection, predicted)
        return 1
      }
      return (await printChanges(session, collection, predicted)) ? 1 : 0
    })
  },
})

async function printChanges(
  session: Session,
  collection: Collection,
  { items = [] }: wire.Preflight,
): Promise<boolean> {
  const outcomes = new Map(items.map(({ id, outcome }) => [id, outcome]))
  const paint = paintFor(session.terminal)
  let isDifferent = false
  const isRead = ({ id }: { id: string }) => !['created', 'unchanged'].includes(outcomes.get(id) ?? '')
  for await (const { item, current } of besideCurrent(session, collection.items(), isRead)) {
    const { id, resource } = item
    const outcome = outcomes.get(id)
    if (outcome === 'unchanged') continue
    const found = differences(current, resource)
    // Without an outcome from the service, the field differences decide.
    if (outcome === undefined && current !== null && found.length === 0) continue
    isDifferent = true
    session.print(paint(`${plain(id)}: ${outcome ?? (current === null ? 'created' : 'updated')}`, 'bold'))
    for (const difference of found) session.print(lineOf(difference, paint))
    if (resource.kind === 'Credential' && resource.spec.value !== undefined)
      session.print('  ~ spec.value: written anew; secrets cannot be compared')
  }
  return isDifferent
}

function lineOf({ field, before, after }: Difference, paint: Paint): string {
  if (before === null) return paint(`  + ${field}: ${plain(after!)}`, 'green')
  if (after === null) return paint(`  - ${field}: ${plain(before)}`, 'red')
  return paint(`  ~ ${field}: ${plain(before)} → ${plain(after)}`, 'yellow')
}
