// moving/reclaim.ts: `pulseward store reclaim`: lets a service start again with a store that was moved away.
import { movingTools, UsageError } from '@pulseward/server'
import { accessFrom, type StoreCall, warnOfPassword } from './store-call.ts'

export async function reclaim(call: StoreCall): Promise<number> {
  const { terminal, operands } = call
  const [place, ...others] = operands
  if (place === undefined || others.length > 0)
    throw new UsageError('Name one store: pulseward store reclaim sqlite:DIR')
  warnOfPassword(call, place)
  const { reclaimStore } = await movingTools()
  await reclaimStore(place, accessFrom(call).passwordFile, terminal.nowMs())
  terminal.stdout.write(
    'A service can start with this store again, as with a restored backup: notifications and recoveries that were waiting are not sent again; a monitor that still fails is reported. Let no service run on the store that it was moved to.\n',
  )
  return 0
}
