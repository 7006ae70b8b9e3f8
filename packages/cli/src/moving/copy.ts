// moving/copy.ts: `pulseward store copy`: moves a store, and says what else the service needs to go on with it.
import { counted, type MoveReport, movingTools, StoreError } from '@pulseward/server'
import { RowProgress } from './shown-progress.ts'
import { placesFrom, type StoreCall } from './store-call.ts'

export async function copy(call: StoreCall): Promise<number> {
  const { terminal } = call
  const places = placesFrom(call, 'copy')
  const { moveStores } = await movingTools()
  const signal = terminal.interruption
  try {
    const report = await withProgress(call, (progress) =>
      moveStores({
        ...places,
        now: terminal.nowMs(),
        signal,
        onProgress: (step, rows, total) => progress.show(step, rows, total),
      }),
    )
    for (const line of linesOf(report)) terminal.stdout.write(`${line}\n`)
    return 0
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error
    throw new StoreError(
      'closed',
      'The copy was stopped, and nothing was moved; the same command begins it anew.',
      {
        cause: error,
      },
    )
  }
}

/** The progress is erased before anything else is written. */
async function withProgress<Result>(
  { terminal }: StoreCall,
  work: (progress: RowProgress) => Promise<Result>,
): Promise<Result> {
  using progress = new RowProgress(terminal)
  return await work(progress)
}

function linesOf({ from, to, rows, directory, lacking, keyConcern }: MoveReport): string[] {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const figures = [
    counted(rows.identities, 'monitor'),
    counted(rows.events, 'event'),
    counted(rows.actions, 'action'),
    counted(rows.resources, 'managed resource'),
  ]
  const data = directory === null ? 'the --data that it has now' : `--data ${directory}`
  return [
    `${to} has everything of ${from}, compared row by row: ${all} rows, among them ${figures.join(', ')}.`,
    `The service goes on there: start it with --store ${to.startsWith('sqlite:') ? 'sqlite' : `'${to}'`} and ${data}.`,
    ...(lacking.length === 0
      ? []
      : [
          `Before that, bring what the service keeps beside its store into ${directory ?? 'its data directory'}, as far as it is there: ${lacking.join(', ')}.`,
        ]),
    ...(keyConcern === null ? [] : [`Bring the key file of credentials too. ${keyConcern}`]),
    `${from} is marked as moved, and no service starts with it any more.`,
  ]
}
