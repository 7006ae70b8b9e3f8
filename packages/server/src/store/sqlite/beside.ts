// store/sqlite/beside.ts: what other threads do with the files of a store: read resources without its owner,
// and stage items in separate files.
import type { BesideAddress, StoreBeside } from '../beside.ts'
import { dataDirectory } from '../data-directory.ts'
import { SqliteResourceReader } from './resource-reader.ts'
import { StagingFolder } from './staging/staging-folder.ts'

export function addressOf(directory: string): BesideAddress {
  return { mode: 'sqlite', place: directory }
}

export function openSqliteBeside({ place }: BesideAddress): StoreBeside {
  const resources = new SqliteResourceReader(place)
  return {
    resources,
    staging: new StagingFolder(dataDirectory(place).staging),
    [Symbol.dispose]: () => resources[Symbol.dispose](),
  }
}
