// bulk/bulk-thread.ts: the thread in which collections are worked on. It reads the store beside its owner and never writes
// it; other threads go first.
import { randomUUID } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { driverShapes } from '../config/driver-shapes.ts'
import { driverSchemas } from '../kinds/driver-schemas.ts'
import { ResourceValidator } from '../kinds/validate-resource.ts'
import { stepBack } from '../platform/thread-priority.ts'
import { dataDirectory } from '../store/data-directory.ts'
import { ResourceReader } from '../store/sqlite/resource-reader.ts'
import { Calls, remote } from './calls.ts'
import { CollectionWork } from './collection-work.ts'
import { CurrentInFiles } from './current-resources.ts'
import type { AroundWork } from './work.ts'

export interface BulkThreadSetup {
  /** The data directory. */
  readonly directory: string
  /** Which life of which store it is. */
  readonly store: string
  readonly epoch: number
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
}

stepBack()
const port = parentPort!
const { directory, store, epoch, allowsLocalDrivers, allowsJobTypes } = workerData as BulkThreadSetup
const around = remote<AroundWork>(
  () => calls,
  ['presence', 'credentialValues', 'misfits', 'jobTypes', 'jobTypeMisfits', 'seal', 'open', 'lock'],
)
const work = new CollectionWork({
  folder: dataDirectory(directory).staging,
  store,
  around,
  current: new CurrentInFiles(new ResourceReader(directory)),
  validator: new ResourceValidator(driverShapes),
  drivers: driverShapes,
  allowsLocalDrivers,
  allowsJobTypes,
  schemas: driverSchemas,
  newUid: randomUUID,
  versionOf: (change) => `${epoch}.${change}`,
})
const calls = new Calls(port, work)
port.on('message', (message) => calls.receive(message))
flushCompileCache()
