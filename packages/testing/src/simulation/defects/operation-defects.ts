// simulation/defects/operation-defects.ts: defects in operations of many items.
import type { BulkWork, PreparedChunk } from '@pulseward/server/internal/bulk/work.ts'
import type { ControlTurn, WriteRecord, WriteTurn } from '@pulseward/server/internal/engine/engine-turn.ts'
import type { BulkWrite } from '@pulseward/server/internal/store/bulk.ts'
import { type Defects, type OperationParts, replace } from './defect.ts'

export const operationDefects: Defects = {
  'items-applied-twice': {
    summary: 'The record of an operation does not say how far it is, so a restart begins again.',
    operations: withRecords((write) =>
      write.operation.state === 'applying' && write.outcomes !== null
        ? { ...write, operation: { ...write.operation, settled: 0 } }
        : write,
    ),
  },
  'items-skipped': {
    summary: 'An operation goes on one item behind where it was.',
    operations: withRecords((write) =>
      write.outcomes === null || write.outcomes.first === 0
        ? write
        : { ...write, outcomes: { ...write.outcomes, first: write.outcomes.first + 1 } },
    ),
  },
  'order-of-upload': {
    summary: 'Items are applied in the order in which they were uploaded, backwards.',
    operations: ({ work }) =>
      replaceIn(work, 'prepare', (prepare) => async (number, place, count) => {
        const { length } = await work.itemIds(number, 0, 1_000)
        const items = Math.min(count, length - place)
        return { ...(await prepare(number, length - place - items, items)), place }
      }),
  },
  'changed-overwritten': {
    summary: 'An item is written on whatever version there is.',
    operations: ({ work }) =>
      replaceIn(work, 'prepare', (prepare) => async (number, place, count) => {
        await work.validate(number)
        return prepare(number, place, count)
      }),
  },
  'cancelled-goes-on': {
    summary: 'An operation that is cancelled says so, and goes on.',
    operations: withRecords((write) =>
      write.operation.state === 'applying' && write.operation.settled > 1
        ? { ...write, operation: { ...write.operation, state: 'cancelled' } }
        : write,
    ),
  },
  'sealed-after-put': {
    summary:
      'A value that cannot be sealed ends the turn of its credential, which stays where later turns see it.',
    operations: ({ registry, vault }) => {
      replace(registry, 'whole', () => (write) => write())
      replace(vault, 'seal', (seal) => (id, version, value) => {
        try {
          return seal(id, version, value)
        } catch (error) {
          // A staged item has no resource version yet.
          if (/^[0-9]+$/.test(version)) registry.put({ ...halfWritten, id, change: Number(version) })
          throw new Error('the turn ends in its middle', { cause: error })
        }
      })
    },
  },
  'activator-forgotten': {
    summary: 'Controls of many do not say who has activated them.',
    operations: ({ engine }) =>
      replace(
        engine,
        'applyControl',
        (apply) => (turn, control) =>
          apply(turn, { ...control, asked: { ...control.asked, actor: 'nobody' } }),
      ),
  },
}

const halfWritten = {
  kind: 'Credential',
  uid: 'half-written',
  generation: 1,
  name: null,
  labels: {},
  spec: {},
  sealed: null,
  createdAt: 0,
  updatedAt: 0,
} as const

type Prepare = (number: number, place: number, count: number) => Promise<PreparedChunk>

function replaceIn(work: BulkWork, name: 'prepare', change: (method: Prepare) => Prepare): void {
  work[name] = change(work[name].bind(work))
}

/** Changes the stored records of operations. */
function withRecords(change: (write: BulkWrite) => BulkWrite) {
  const changed = (record: WriteRecord) => ('operation' in record ? change(record) : record)
  const around = <Kept extends WriteTurn | ControlTurn>(turn: Kept): Kept =>
    ({
      now: turn.now,
      decide: (input) => turn.decide(input),
      afterCommit: (effect) => turn.afterCommit(effect),
      keep: (record) => turn.keep(changed(record)),
    }) satisfies ControlTurn as unknown as Kept
  return ({ engine, path }: OperationParts) => {
    replace(
      engine,
      'request',
      (request) => (unstored, work) => request(unstored, (turn) => work(around(turn))),
    )
    replace(
      path,
      'write',
      (write) => (plan) =>
        write((turn) => {
          const planned = plan(turn)
          return { ...planned, record: changed(planned.record) }
        }),
    )
  }
}
