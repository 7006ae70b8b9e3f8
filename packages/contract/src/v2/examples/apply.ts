// v2/examples/apply.ts: a collection of one group as it passes through an operation.
import type {
  ApplyItem,
  ControlOperation,
  Operation,
  OperationCreateRequest,
  OperationList,
  Preflight,
  PreflightRequest,
  UploadRequest,
} from '../wire/apply.ts'
import { apiVersion } from '../wire/resource.ts'
import { pageOf } from './page.ts'

const contentDigest = 'sha256:3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea'

const item: ApplyItem = {
  id: 'NotificationGroup/ops',
  contentDigest,
  source: 'fleet.yaml:12',
  resource: {
    apiVersion,
    kind: 'NotificationGroup',
    metadata: { id: 'ops' },
    spec: { endpointRefs: ['ops-slack'] },
  },
}

const preflight: Preflight = {
  valid: true,
  contentDigest,
  items: [{ id: item.id, outcome: 'updated', oldVersion: '5', message: 'endpointRefs would change' }],
}

const operation: Operation = {
  id: 'op-01JQ8X4E',
  state: 'completed',
  actor: 'mara',
  createdAt: '2026-03-29T00:57:00.000Z',
  updatedAt: '2026-03-29T00:57:02.000Z',
  contentDigest,
  itemCount: 1,
  uploaded: 1,
  validated: true,
  committed: 1,
  applied: 1,
  items: [
    { id: item.id, outcome: 'updated', oldVersion: '5', newVersion: '6', committed: true, applied: true },
  ],
}

/** A list leaves out the outcomes of items. */
const { items: _, ...listed } = operation

const controlOperation: ControlOperation = {
  control: { verb: 'snooze', selector: 'team=payments', reason: 'planned work', duration: '2h' },
}

export const applyExamples = {
  PreflightRequest: { items: [item] } satisfies PreflightRequest,
  Preflight: preflight,
  OperationCreateRequest: { contentDigest, itemCount: 1 } satisfies OperationCreateRequest,
  ControlOperation: controlOperation,
  UploadRequest: { items: [item] } satisfies UploadRequest,
  Operation: operation,
  OperationList: pageOf(listed) satisfies OperationList,
  MergePatch: { spec: { enabled: false }, metadata: { labels: { team: null } } },
}
