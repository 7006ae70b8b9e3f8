// v2/examples/apply.ts: a collection of one group on its way through an operation.
import type {
  ApplyItem,
  ControlOperation,
  Operation,
  OperationCreateRequest,
  Preflight,
  PreflightRequest,
  UploadRequest,
} from '../wire/apply.ts'
import { apiVersion } from '../wire/resource.ts'

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
  MergePatch: { spec: { enabled: false }, metadata: { labels: { team: null } } },
}
