// fleet/snapshot/kept-fleet.fixture.ts: fleet files as a start reads them, and their snapshot as a service keeps it.
import { driverShapes } from '../../config/driver-shapes.ts'
import { FileDigests } from '../../config/fleet-file/file-digest.ts'
import { loadFleet } from '../../config/fleet-file/load-fleet.ts'
import { listSources } from '../../config/fleet-file/source.ts'
import { type Arrangement, arrange } from '../arrangement.ts'
import { headOf } from '../fleet-change.ts'
import {
  type FleetFacts,
  type FleetSnapshot,
  fleetKey,
  readFleetSnapshot,
  writeFleetSnapshot,
} from './fleet-snapshot.ts'
import { monitorsOf } from './packed-monitors.ts'

export interface ReadFleet {
  readonly arrangement: Arrangement
  readonly facts: FleetFacts
}

export async function readFiles(
  paths: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<ReadFleet> {
  const digests = new FileDigests()
  const loaded = await loadFleet({ paths, drivers: driverShapes, allowEmpty: true, environment, digests })
  const { definition, credentialSources, openRows, oneLine, pageFiles } = loaded
  const key = fleetKey(paths, true, driverShapes)
  return {
    arrangement: arrange(definition, null),
    facts: { key, files: digests.finish(), credentialSources, openRows, oneLine, pageFiles },
  }
}

export function keep(path: string, { arrangement, facts }: ReadFleet, isChanged = () => false): boolean {
  const { definition, searchNames } = arrangement
  const monitors = monitorsOf(definition)
  const head = headOf(definition)
  return writeFleetSnapshot(path, { facts, monitors, searchNames, head, count: definition.count, isChanged })
}

export async function readKept(path: string, paths: readonly string[]): Promise<FleetSnapshot | null> {
  return readFleetSnapshot(path, fleetKey(paths, true, driverShapes), await listSources(paths))
}
