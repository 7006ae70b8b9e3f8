// bulk/serve-work.ts: the work on collections, in a thread, for the controller. It reads the store without
// its owner and never writes it; its thread has a low priority.
import { randomUUID } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'
import { driverShapes } from '../config/driver-shapes.ts'
import { driverSchemas } from '../kinds/driver-schemas.ts'
import { ResourceValidator } from '../kinds/validate-resource.ts'
import { answeredBy, remote, ThreadCalls } from '../platform/thread-calls.ts'
import { stepBack } from '../platform/thread-priority.ts'
import type { BesideAddress, StoreBeside } from '../store/beside.ts'
import { storeErrorForm } from '../store/store-errors.ts'
import { CollectionWork } from './collection-work.ts'
import type { AroundWork } from './work.ts'

export interface BulkThreadSetup {
  readonly address: BesideAddress
  /** The store and its epoch. */
  readonly store: string
  readonly epoch: number
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
}

/** All calls to the controller; the compiler asks for a new one. */
const aroundWork: Readonly<Record<keyof AroundWork, true>> = {
  presence: true,
  someIds: true,
  credentialValues: true,
  misfits: true,
  keyOwners: true,
  hostsOfPages: true,
  jobTypes: true,
  jobTypeMisfits: true,
  routesTell: true,
  seal: true,
  open: true,
  lock: true,
}

export function serveWork(
  port: MessagePort,
  { address, store, epoch, allowsLocalDrivers, allowsJobTypes }: BulkThreadSetup,
  openBeside: (address: BesideAddress) => StoreBeside,
): void {
  stepBack()
  const around = remote<AroundWork>(() => calls, Object.keys(aroundWork) as (keyof AroundWork)[])
  const work = new CollectionWork({
    beside: openBeside(address),
    store,
    around,
    validator: new ResourceValidator(driverShapes),
    drivers: driverShapes,
    allowsLocalDrivers,
    allowsJobTypes,
    schemas: driverSchemas,
    newUid: randomUUID,
    versionOf: (change) => `${epoch}.${change}`,
  })
  const calls = new ThreadCalls(port, { answer: answeredBy(work), errors: storeErrorForm })
}
