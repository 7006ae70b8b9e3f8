// moving/verify.ts: `pulseward store verify`: whether two stores have the same content. Exits with 1 if not.
import { counted, movingTools } from '@pulseward/server'
import { RowProgress } from './shown-progress.ts'
import { placesFrom, type StoreCall } from './store-call.ts'

const label = 'comparing'

export async function verify(call: StoreCall): Promise<number> {
  const { terminal } = call
  const places = placesFrom(call, 'verify')
  const { compareStoresAt } = await movingTools()
  const { differences, rows, from, to } = await compared()
  for (const difference of differences) terminal.stdout.write(`${difference}\n`)
  if (differences.length === 0)
    terminal.stdout.write(`${from} and ${to} are identical: ${counted(rows, 'row')}.\n`)
  return differences.length === 0 ? 0 : 1

  async function compared() {
    using progress = new RowProgress(terminal)
    return await compareStoresAt(places, (done) => progress.show(label, done, null))
  }
}
