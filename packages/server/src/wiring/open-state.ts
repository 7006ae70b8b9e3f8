// wiring/open-state.ts: opens the state that the service starts with: the fleet of the files, what the previous process
// left in the store, and the resources managed there. Nothing runs yet, and nothing was changed except by an adoption.
import { existsSync } from 'node:fs'
import { checks } from '../checks/registry.ts'
import { externalDrivers } from '../config/external-driver.ts'
import { pushType } from '../config/push-check.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { Edition, OpenedStore } from '../editions/edition.ts'
import { readTogether } from '../editions/read-together.ts'
import { Fleet } from '../fleet/fleet.ts'
import {
  type FirstLoad,
  type LoadedArrangement,
  LoadThreads,
  loadArrangement,
  type ReloadedFleet,
  reloadFleet,
} from '../fleet/load-arrangement.ts'
import { withoutAdopted } from '../managing/adopt.ts'
import type { Managing } from '../managing/managing.ts'
import type { Clock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import { dataDirectory } from '../store/data-directory.ts'
import type { Log } from '../telemetry/log.ts'
import type { StandBy } from './stand-by.ts'

export interface StateOptions {
  readonly edition: Edition
  readonly settings: Settings
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Log
  /** Moves everything in the fleet files under the management of v2. */
  readonly adopts: boolean
  /** Null if no other process can share the store. */
  readonly standBy: StandBy | null
}

export interface State {
  readonly fleet: Fleet
  readonly opened: OpenedStore
  /** Null if v2 is not served. */
  readonly managing: Managing | null
  /** The fleet to start with. */
  readonly loaded: LoadedArrangement
  /** The content of the files; null if it was adopted, and is read from the store from now on. */
  readonly inFiles: FirstLoad | null
  /** Where the parsed fleet files are cached for the next start; null if they are not. */
  readonly snapshotPath: string | null
  /** Reads the files again while the fleet runs. */
  reload(): Promise<ReloadedFleet>
}

export async function openState(options: StateOptions, owned: AsyncDisposableStack): Promise<State> {
  const { edition, settings, environment, clock, log, adopts, standBy } = options
  const adopt = adopts ? adoptionOf(edition, settings) : null
  const isManaged = edition.openManaging !== undefined
  const directory = edition.dataDirectory(settings)
  const data = directory === null ? null : dataDirectory(directory)
  const snapshotPath = data?.fleet ?? null
  const allowEmpty = settings.allow_empty || isManaged
  const files = { paths: settings.config, allowEmpty, environment, snapshotPath }
  const threads = owned.use(new LoadThreads(log))
  const { inFiles, inStore } = await readFilesAndStore(
    () => loadArrangement({ ...files, before: null }, threads),
    () => edition.openStore(settings, clock, log, standBy),
    standBy ?? (data !== null && existsSync(data.database)),
  )
  owned.use(inStore)
  // If resources are managed, workers outside the service may carry out checks.
  const fleet = new Fleet([
    ...Object.keys(checks),
    pushType,
    ...(isManaged ? Object.keys(externalDrivers) : []),
  ])
  const opened =
    adopt === null ? inStore : await adopt({ settings, fleet, opened: inStore, loaded: inFiles, clock, log })
  const managing = owned.use(await openManaging(options, fleet, opened))
  const fromFiles = adopt === null ? inFiles : withoutAdopted(inFiles)
  const { recovered } = opened
  return {
    fleet,
    opened,
    managing,
    loaded:
      managing === null || recovered === null ? fromFiles : await managing.fleetWith(fromFiles, recovered),
    inFiles: adopt === null ? inFiles : null,
    snapshotPath,
    async reload() {
      const { definition, present } = fleet
      const reloaded = await reloadFleet({ ...files, before: { definition, present } }, threads)
      managing?.refuseClashes(reloaded)
      await standBy?.noteFiles()
      return reloaded
    },
  }
}

/** `left`: whether there is a store; or, for one that is shared, how the process stands by while another one has it. */
async function readFilesAndStore(
  load: () => Promise<FirstLoad>,
  open: () => Promise<OpenedStore>,
  left: boolean | StandBy,
): Promise<{ inFiles: FirstLoad; inStore: OpenedStore }> {
  if (typeof left === 'boolean') return await readTogether(load, open, left)
  let inFiles: FirstLoad | null = null
  await left.loadBy(async () => {
    inFiles = await load()
  })
  const inStore = await open()
  left.taken()
  return { inFiles: inFiles!, inStore }
}

async function openManaging(
  { edition: { openManaging: open }, settings, log }: StateOptions,
  fleet: Fleet,
  { recovered, store }: OpenedStore,
): Promise<Managing | null> {
  if (open === undefined || recovered === null || store === null) return null
  return open({ settings, fleet, recovered, store, log })
}

function adoptionOf({ adopt }: Edition, { config }: Settings): NonNullable<Edition['adopt']> {
  if (adopt === undefined) throw new UsageError('--adopt needs --edition next, which keeps what it adopts.')
  if (config.length === 0) throw new UsageError('--adopt needs the fleet files to adopt: pass --config PATH.')
  return adopt
}
