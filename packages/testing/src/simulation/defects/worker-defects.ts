// simulation/defects/worker-defects.ts: defects in what external workers are offered, granted and answered.
import type { Lease, OpenJob } from '@pulseward/server/internal/external-workers/lease-table.ts'
import { receiptOf } from '@pulseward/server/internal/external-workers/receipt.ts'
import { digestOf, statementOf } from '@pulseward/server/internal/external-workers/report.ts'
import type { WorkerParts } from '../workers/worker-parts.ts'
import { type Defects, replace } from './defect.ts'

export const workerDefects: Defects = {
  'granted-before-commit': {
    summary: 'A grant is given before it is on disk.',
    workers: ({ engine }) =>
      replace(engine, 'request', (request) => (unstored, work) => {
        const stored = request(unstored, work)
        return unstored === 'withdrawn' ? Promise.resolve('stored') : stored
      }),
  },
  'start-grants-again': {
    summary: 'A start that is repeated grants once more.',
    workers: ({ jobs: { table } }) =>
      replace(table, 'start', (start) => (principal, words, nowMs) => {
        const decision = start(principal, words, nowMs)
        const { grant = null } = 'open' in decision ? decision.open : {}
        if (decision.kind !== 'started' || grant === null) return decision
        return { kind: 'grants', open: decision.open, grant: { ...grant, id: `${grant.id}-again` } }
      }),
  },
  'started-offered-again': {
    summary: 'What was started is offered again when its lease is over.',
    workers: ({ jobs: { table } }) => {
      const leases = new Map<OpenJob, Lease>()
      replace(table, 'granted', (granted) => (open) => {
        if (open.lease !== null) leases.set(open, open.lease)
        granted(open)
      })
      replace(table, 'advance', (advance) => (nowMs) => {
        for (const [open, lease] of leases) {
          if (lease.untilMs > nowMs) continue
          leases.delete(open)
          if (open.state !== 'started') continue
          lease.worker.leased++
          open.state = 'leased'
          open.lease = lease
        }
        return advance(nowMs)
      })
    },
  },
  'result-applied-twice': {
    summary: 'The result of a check counts as two.',
    workers: ({ jobs, fleet }) =>
      replace(jobs, 'takeResults', (takeResults) => (turn, results) => {
        takeResults(turn, results)
        const again = results.map((result) => ({ ...result, generation: result.generation + 1 }))
        for (const { row, generation } of again) fleet.columns.generation[row] = generation
        takeResults(turn, again)
      }),
  },
  'result-overwritten': {
    summary: 'Another result takes the place of the first.',
    workers: ({ late, store, engine }) =>
      replace(late, 'report', (report) => async (principal, outcome) => {
        const answer = await report(principal, outcome)
        if (!('kind' in answer) || answer.kind !== 'conflict') return answer
        const record = await store.readExecution(outcome.executionID)
        if (record === null || record.end === null) return answer
        const end = { ...record.end, report: { digest: digestOf(outcome), status: outcome.status } }
        await engine.request('told', (turn) => {
          turn.keepExecution({ ...record, end })
          turn.keepStatement(statementOf('report', outcome))
        })
        return receiptOf(record.id, end.disposition)
      }),
  },
  'statement-lost': {
    summary: 'A receipt is given for words that are not kept.',
    workers: ({ engine }) =>
      replace(
        engine,
        'request',
        (request) => (unstored, work) =>
          request(unstored, (turn) => {
            turn.keepStatement = () => {}
            work(turn)
          }),
      ),
  },
  'receipt-of-the-process': {
    summary: 'A receipt is another one after a restart.',
    workers: ({ late, desk, number }) => {
      const ofProcess = <Answer extends object>(answer: Answer): Answer =>
        'receiptId' in answer && answer.receiptId !== ''
          ? { ...answer, receiptId: `${answer.receiptId}-${number}` }
          : answer
      replace(
        late,
        'report',
        (report) => async (principal, outcome) => ofProcess(await report(principal, outcome)),
      )
      replace(late, 'evidence', (add) => async (principal, asked) => {
        const originalReceiptID = asked.originalReceiptID.replace(/-\d+$/, '')
        return ofProcess(await add(principal, { ...asked, originalReceiptID }))
      })
      replace(desk, 'start', (start) => async (principal, asked) => ofProcess(await start(principal, asked)))
      replace(desk, 'result', (result) => async (...asked) => {
        const answer = await result(...asked)
        // An answer from the late reports has it already.
        return 'receiptId' in answer && answer.receiptId.endsWith(`-${number}`) ? answer : ofProcess(answer)
      })
    },
  },
  'grants-forgotten': {
    summary: 'A restart does not know what workers were granted.',
    recovered: (recovered) => ({ ...recovered, executions: [] }),
  },
  'offered-ends-unknown': {
    summary: 'An action that no worker took ends as unknown.',
    workers: withLapses((lapse) =>
      lapse.open.job.check === null && lapse.why === 'not started' ? { ...lapse, why: 'no result' } : lapse,
    ),
  },
  'revoked-poll-served': {
    summary: 'A poll that waits is served although its token was revoked.',
    workers: ({ jobs: { polls } }) => replace(polls, 'endThoseOf', () => () => {}),
  },
  'deadline-extended': {
    summary: 'A heartbeat extends the deadline.',
    workers: (parts) => {
      const beaten = new Set<string>()
      replace(parts.desk, 'heartbeat', (heartbeat) => (principal, asked) => {
        beaten.add(asked.executionID)
        return heartbeat(principal, asked)
      })
      const { table } = parts.jobs
      withLapses((lapse) => {
        const { job, grant } = lapse.open
        if (lapse.why !== 'no result' || grant === null || !beaten.delete(job.executionId)) return lapse
        table.restore(job, { ...grant, deadlineMs: grant.deadlineMs + job.timeoutMs })
        return null
      })(parts)
    },
  },
  'unreported-taken-for-failed': {
    summary: 'A check that nobody reports counts against its target.',
    workers: ({ jobs }) =>
      replace(
        jobs,
        'takeResults',
        (takeResults) => (turn, results) =>
          takeResults(
            turn,
            results.map((result) =>
              result.status === 'no_data' ? { ...result, status: 'failure' } : result,
            ),
          ),
      ),
  },
  'cancelled-offered': {
    summary: 'A check whose monitor was removed or disabled is still offered.',
    workers: ({ jobs: { table } }) => replace(table, 'cancel', () => () => false),
  },
  'room-ignored': {
    summary: 'A worker is offered more than it has room for.',
    workers: ({ jobs: { table } }) =>
      replace(table, 'offer', (offer) => (worker, capabilities, limit, nowMs) => {
        const { capacity } = worker
        worker.capacity = 1_000
        const offers = offer(worker, capabilities, limit, nowMs)
        worker.capacity = capacity
        return offers
      }),
  },
}

type Lapse = ReturnType<WorkerParts['jobs']['table']['advance']>[number]

/** Changes the jobs that have timed out; null: the job continues. */
function withLapses(change: (lapse: Lapse) => Lapse | null) {
  return ({ jobs: { table } }: WorkerParts) =>
    replace(table, 'advance', (advance) => (nowMs) => advance(nowMs).flatMap((lapse) => change(lapse) ?? []))
}
