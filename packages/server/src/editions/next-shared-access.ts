// editions/next-shared-access.ts: principals and sessions of `next` from a store that several machines share. The setting
// principals_file names a file of each machine even then.
import { resolve } from 'node:path'
import type { PrincipalSource } from '../access/principal-source.ts'
import { openSharedPrincipals } from '../access/shared-principals.ts'
import { sessionsInStore } from '../access/shared-sessions.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { withoutPassword } from '../config/settings/store-place.ts'
import type { Clock } from '../platform/clock.ts'
import { dataDirectory } from '../store/data-directory.ts'
import type { Log } from '../telemetry/log.ts'
import type { OpenedStore } from './edition.ts'

/** Closes the store if that fails. */
export async function withSharedAccess(
  opened: OpenedStore,
  settings: Settings,
  clock: Clock,
  log: Log,
): Promise<OpenedStore> {
  const { store } = opened
  if (store?.access === undefined) return opened
  try {
    const { principals, sessions } = store.access
    return {
      ...opened,
      access: {
        principals:
          settings.principals_file === null ? await openPrincipals(principals, settings, log) : null,
        sessions: await sessionsInStore(sessions, store.identity.key, clock),
      },
    }
  } catch (error) {
    await opened[Symbol.asyncDispose]()
    throw error
  }
}

async function openPrincipals(
  shared: Parameters<typeof openSharedPrincipals>[0],
  { data, store }: Settings,
  log: Log,
): Promise<PrincipalSource> {
  const files = dataDirectory(resolve(data))
  const { source, tokenFile, leftOut } = await openSharedPrincipals(shared, files, withoutPassword(store))
  if (tokenFile !== null) log.info(`the operator "first" was made; its token is in ${tokenFile}`)
  if (leftOut.length > 0)
    log.warn(
      { principals: leftOut },
      `the principals are in the store, and these of ${files.principals} are not among them, so their tokens do not work: make new ones with pulseward token create, then remove the file`,
    )
  return source
}
