// Checks and actions by workers outside the service, over time and over restarts: the whole controller under a clock that
// the test moves.
import { http, TestService } from '@pulseward/testing/engine'
import { expect, it } from 'vitest'
import { externalType } from '../config/external-driver.ts'
import { ControlDesk } from '../controls/control-desk.ts'
import { revisionText } from '../controls/revision-text.ts'
import type { JobKind } from '../store/execution.ts'
import type { Job } from './job.ts'
import { LateReports } from './late-reports.ts'
import type { Offer } from './lease-table.ts'
import { WorkerDesk } from './worker-desk.ts'

const any = { mistakes: () => [] }
const external = (jobType: string) => ({
  type: externalType,
  config: { jobType, parameters: { queue: 'mail' }, profile: '' },
})
const check = (id: string, more: object = {}) => ({
  id,
  name: id,
  check: { ...external('depth'), interval: '10s', timeout: '5s', unhealthy_threshold: 1, ...more },
})

async function begin(...monitors: Parameters<typeof TestService.start>[0]['monitors']) {
  const service = await TestService.start({
    monitors,
    head: { endpoints: { pager: external('page') } },
  })
  service.jobTypeOf = (id) => {
    const kinds: Readonly<Record<string, JobKind>> = {
      depth: 'check',
      restart: 'recovery',
      page: 'notification',
    }
    const kind = kinds[id]
    if (kind === undefined) return null
    return {
      id,
      version: '1',
      kind,
      timeoutMs: null,
      parameters: any,
      results: any,
      rejectionCodes: new Set(),
    }
  }
  return new World(service)
}

/** A worker of the service, which is whatever process runs now. */
class World {
  readonly service: TestService

  constructor(service: TestService) {
    this.service = service
  }

  get late(): LateReports {
    const { engine, external: jobs, store } = this.service
    return new LateReports({ jobs, engine, store })
  }

  get desk(): WorkerDesk {
    const { engine, external: jobs, store } = this.service
    return new WorkerDesk({ jobs, engine, store, late: this.late })
  }

  poll(kind: JobKind): readonly Offer[] {
    const jobType = { check: 'depth', recovery: 'restart', notification: 'page' }[kind]
    return this.service.external.offersFor({
      worker: { principal: 'berlin', workerId: 'berlin-1' },
      digest: '',
      capabilities: [{ kind, jobType, version: '1' }],
      capacity: 100,
      limit: 100,
    })
  }

  /** Takes the one job of the kind that waits. */
  async take(kind: JobKind): Promise<{ readonly job: Job; readonly grantId: string }> {
    const [offer, ...others] = this.poll(kind)
    if (offer === undefined || others.length > 0) throw new Error(`${others.length + 1} jobs wait`)
    const { job } = offer.open
    const asked = { executionID: job.executionId, leaseID: offer.lease.id, executionRevision: '1' }
    const started = await this.desk.start('berlin', asked)
    if (!('grantId' in started) || started.disposition !== 'granted') throw new Error('it was not granted')
    return { job, grantId: started.grantId }
  }

  report(
    { job, grantId }: { readonly job: Job; readonly grantId: string },
    status: string,
    diagnostic?: string,
  ) {
    const { executionId: executionID, kind } = job
    const words = diagnostic === undefined ? {} : { diagnostic }
    const outcome = { executionID, grantID: grantId, kind, status, ...words }
    return this.desk.result('berlin', outcome as Parameters<WorkerDesk['result']>[1])
  }

  async actions(): Promise<string[]> {
    const { actions } = await this.service.store.listActions({ monitorId: null, after: null, limit: 100 })
    return actions.map(({ action: { kind, color, state, outcome } }) =>
      [color ?? kind, state, ...(outcome === null ? [] : [outcome])].join(' '),
    )
  }
}

it('a check that nobody takes is over by its next time slot, and offered again', async () => {
  const world = await begin(check('queue'))
  await world.service.advance({ seconds: 11 })
  const [first] = world.poll('check')
  expect(first?.open.job).toMatchObject({
    monitorId: 'queue',
    parameters: { queue: 'mail' },
    timeoutMs: 5_000,
  })
  await world.service.advance({ seconds: 10 })
  const offers = world.poll('check')
  expect(offers).toHaveLength(1)
  expect(offers[0]?.open.job.executionId).not.toBe(first?.open.job.executionId)
  await world.service.advance({ seconds: 60 })
  const [report] = world.service.engine.reading.sloReport().reports
  expect(report?.missed).toBeGreaterThan(2)
  expect(report?.missed).toBe(report?.expected)
  expect(world.service.statusOf('queue')).toBe('unknown')
})

it('a check that is not reported by its deadline says nothing, and its monitor is checked again', async () => {
  const world = await begin(check('queue'))
  await world.service.advance({ seconds: 10 })
  await world.report(await world.take('check'), 'success')
  expect(world.service.statusOf('queue')).toBe('up')
  await world.service.advance({ seconds: 10 })
  const lost = await world.take('check')
  await world.service.advance({ seconds: 6 })
  expect(world.service.statusOf('queue')).toBe('up')
  const receipt = await world.report(lost, 'failure', 'too late')
  expect(receipt).toMatchObject({ disposition: 'unknown' })
  expect(await world.report(lost, 'failure', 'too late')).toEqual(receipt)
  expect(await world.report(lost, 'failure', 'other words')).toEqual({ kind: 'conflict' })
  expect(world.service.statusOf('queue')).toBe('up')
  await world.service.advance({ seconds: 5 })
  await world.report(await world.take('check'), 'failure', 'full')
  expect(world.service.statusOf('queue')).toBe('incident')
})

it('a failed check names the worker that saw it in the cause of its incident', async () => {
  const world = await begin(check('queue'))
  await world.service.advance({ seconds: 10 })
  await world.report(await world.take('check'), 'failure', 'full')
  const events = await world.service.events('queue')
  expect(events.find(({ type }) => type === 'incident_opened')?.because).toMatchObject({
    kind: 'threshold',
    failure: 'full',
    failureClass: 'failure',
    from: 'berlin-1',
  })
})

it('what waits for a monitor that is gone or disabled is not offered, and frees its place', async () => {
  const world = await begin(check('gone'), check('off'), http('other'))
  await world.service.advance({ seconds: 10 })
  expect(world.service.external.table.size).toBe(2)
  await world.service.reload({ monitors: [{ ...check('off'), enabled: false }, http('other')] })
  expect(world.poll('check')).toEqual([])
  await world.service.advance({ seconds: 1 })
  expect(world.service.external.table.size).toBe(0)
})

it('what was granted of a monitor that is gone changes nothing, and has a receipt', async () => {
  const world = await begin(check('queue'), http('other'))
  await world.service.advance({ seconds: 10 })
  const taken = await world.take('check')
  await world.service.reload({ monitors: [http('other')] })
  expect(await world.report(taken, 'failure')).toMatchObject({ disposition: 'finalized' })
  await world.service.advance({ seconds: 20 })
  expect(world.poll('check')).toEqual([])
})

it('a recovery that was only offered has not been done: the next process says so, and does not call it unknown', async () => {
  const world = await begin({ ...check('queue'), recovery: external('restart') })
  await world.service.advance({ seconds: 10 })
  await world.report(await world.take('check'), 'failure')
  await world.service.advance({ seconds: 1 })
  expect(world.poll('recovery')).toHaveLength(1)
  await world.service.restart()
  await world.service.advance({ seconds: 1 })
  expect(await world.actions()).toEqual(['intervention failed rejected'])
})

it('a recovery that a worker has goes on over a restart, and is unknown only at its deadline', async () => {
  const recovery = { ...external('restart'), timeout: '30s' }
  const world = await begin({ ...check('queue'), recovery })
  await world.service.advance({ seconds: 10 })
  await world.report(await world.take('check'), 'failure')
  await world.service.advance({ seconds: 1 })
  const taken = await world.take('recovery')
  await world.service.restart()
  await world.service.advance({ seconds: 20 })
  expect(await world.actions()).toEqual(['intervention started'])
  await world.service.advance({ seconds: 12 })
  expect(await world.actions()).toEqual(['intervention unknown timed_out'])
  expect(world.poll('recovery')).toEqual([])
  expect(await world.report(taken, 'completed')).toMatchObject({ disposition: 'unknown' })
  expect(await world.actions()).toEqual(['intervention unknown timed_out'])
})

it('an unknown recovery is reviewed when its worker is fenced, and a late report against it restores the hold', async () => {
  const world = await begin({ ...check('queue'), recovery: { ...external('restart'), timeout: '5s' } })
  const { service } = world
  await service.advance({ seconds: 10 })
  await world.report(await world.take('check'), 'failure')
  await service.advance({ seconds: 1 })
  const taken = await world.take('recovery')
  await service.advance({ seconds: 6 })
  const id = taken.job.executionId
  const desk = new ControlDesk({
    engine: service.engine,
    store: service.store,
    wallMs: () => service.clock.wallMs(),
    mayStillRun: (actionId) => service.external.mayStillRun(actionId),
  })
  const review = (resolution: 'accepted' | 'rejected' | 'inconclusive', revision: number) =>
    desk.review(
      id,
      { resolution, evidenceRefs: [] },
      { revision: revisionText('Action', id, revision), reason: 'seen', note: null },
      { principal: 'ann', operation: revision },
    )
  const isHeld = () => service.engine.reading.healthOf(service.rowOf('queue')).hold !== null
  await expect(review('rejected', 1)).rejects.toMatchObject({ code: 'executorUnfenced' })
  await review('inconclusive', 1)
  await service.advance({ seconds: 61 })
  await review('rejected', 2)
  expect(isHeld()).toBe(false)
  await world.report(taken, 'completed', 'it was slow')
  expect(isHeld()).toBe(true)
  const action = await service.store.readAction(id)
  expect(action?.review).toMatchObject({
    resolution: 'rejected',
    conflict: expect.stringContaining('it was slow'),
  })
  await expect(review('rejected', 4)).rejects.toMatchObject({ code: 'evidenceConflict' })
  await review('accepted', 4)
  expect(isHeld()).toBe(false)
})

it('a notification that nobody takes within a minute is tried again, and one that is delivered is told', async () => {
  const world = await begin({ ...http('edge'), notify: { red: { endpoints: ['pager'] } } })
  const { service } = world
  await service.advance({ seconds: 11 })
  service.target('edge').goesDown('HTTP 503')
  await service.advance({ seconds: 35 })
  expect(await world.actions()).toEqual(['red started'])
  await service.advance({ seconds: 65 })
  const [again, first] = await world.actions()
  expect(first).toBe('red failed rejected')
  expect(again).toBe('red started')
  const taken = await world.take('notification')
  expect(taken.job.parameters).toMatchObject({
    queue: 'mail',
    notification: { color: 'red', monitorID: 'edge' },
  })
  await world.report(taken, 'delivered')
  expect((await world.actions())[0]).toBe('red succeeded accepted')
})

it('a message that the results of the same turn supersede is not started when the one before it is given up', async () => {
  const timing = { interval: '20s', timeout: '15s', healthy_threshold: 1 }
  const pager = { endpoints: ['pager'] }
  const world = await begin({ ...check('queue', timing), notify: { red: pager, green: pager } })
  const { service } = world
  await service.advance({ seconds: 20 })
  await world.report(await world.take('check'), 'failure')
  await service.advance({ seconds: 20 })
  await world.report(await world.take('check'), 'success')
  expect(await world.actions()).toEqual(['green queued', 'red started'])
  await service.advance({ seconds: 30 })
  const taken = await world.take('check')
  await service.advance({ ms: 9_700 })
  expect((await world.actions()).at(-1)).toBe('red started')
  // The minute of the red ends before the next tick.
  service.sleep({ seconds: 1 })
  await world.report(taken, 'failure')
  // The retry of the first red is not needed, since its end was to be told.
  expect(await world.actions()).toEqual([
    'red started',
    'red cancelled superseded',
    'green cancelled superseded',
    'red failed rejected',
  ])
})
