import { beforeEach, describe, expect, it } from 'vitest'
import { type Capability, capabilityKey, type Job } from './job.ts'
import { LeaseTable, leaseMs, type Offer } from './lease-table.ts'

const depth: Capability = { kind: 'check', jobType: 'queue-depth', version: '1' }
const mail: Capability = { kind: 'check', jobType: 'mail-roundtrip', version: '1' }

let table: LeaseTable
let nowMs: number
beforeEach(() => {
  let count = 0
  table = new LeaseTable(() => `id-${count++}`)
  nowMs = 1_000
})

function add(
  executionId: string,
  { jobType, version, kind }: Capability = depth,
  parts: Partial<Job> = {},
): void {
  table.add(
    {
      executionId,
      kind,
      jobType,
      type: null,
      version,
      monitorId: 'shop',
      revision: 1,
      parameters: {},
      profile: '',
      timeoutMs: 10_000,
      startByMs: nowMs + 60_000,
      check: { row: 0, generation: 1 },
      ...parts,
    },
    nowMs,
  )
}

function poll(
  workerId: string,
  limit = 16,
  { capacity = 100, can = [depth, mail], principal = 'berlin' } = {},
) {
  const worker = table.roster.seen({ principal, workerId }, nowMs, capacity)
  return table.offer(worker, can, limit, nowMs)
}

const ids = (offers: readonly Offer[]) => offers.map(({ open }) => open.job.executionId).join(' ')

function start({ open, lease }: Offer, principal = 'berlin') {
  const { executionId } = open.job
  return table.start(principal, { executionId, leaseId: lease.id, revision: open.revision }, nowMs)
}

/** Starts it and says that the grant is on disk. */
function grant(offer: Offer | undefined) {
  if (offer === undefined) throw new Error('nothing was offered')
  const decision = start(offer)
  if (decision.kind !== 'grants') throw new Error(`it was ${decision.kind}`)
  table.granted(decision.open)
  return decision
}

const lapsed = () => table.advance(nowMs).map(({ open, why }) => `${open.job.executionId} ${why}`)

describe('an offer', () => {
  it('goes to one worker at a time, the job that has waited longest first', () => {
    for (const id of ['a', 'b', 'c']) add(id)
    expect(ids(poll('one', 2))).toBe('a b')
    expect(ids(poll('two'))).toBe('c')
    expect(ids(poll('three'))).toBe('')
  })

  it('is made only to workers that can do the job in its version', () => {
    add('a', { ...depth, version: '2' })
    expect(ids(poll('one'))).toBe('')
    expect(ids(poll('one', 16, { can: [{ ...depth, version: '2' }] }))).toBe('a')
  })

  it('is not made when the job must have been started already, and nobody is blamed for that', () => {
    add('a', depth, { startByMs: nowMs + 10 })
    nowMs += 10
    expect(ids(poll('one'))).toBe('')
    expect(table.advance(nowMs).map(({ why }) => why)).toEqual(['not started'])
    expect(table.roster.find({ principal: 'berlin', workerId: 'one' })?.isInDoubt).toBe(false)
  })

  it('passes over jobs that must have been started already', () => {
    add('late', depth, { startByMs: nowMs })
    add('a')
    expect(ids(poll('one'))).toBe('a')
    expect(table.waiting(capabilityKey(depth))).toBe(0)
    expect(lapsed()).toEqual(['late not started'])
    expect(table.size).toBe(1)
  })

  it('is not made of a check that was cancelled, of which nothing is left', () => {
    add('unwanted', depth, { check: { row: 7, generation: 1 } })
    add('a')
    expect(table.cancel(7)).toBe(true)
    expect(table.size).toBe(1)
    expect(ids(poll('one'))).toBe('a')
    nowMs += 60_000
    expect(lapsed()).toEqual(['a not started'])
    expect(table.cancel(7)).toBe(false)
  })

  it('is not made again of a check that was cancelled while it was offered', () => {
    add('unwanted', depth, { check: { row: 7, generation: 1 } })
    expect(ids(poll('one'))).toBe('unwanted')
    expect(table.cancel(7)).toBe(false)
    expect(table.size).toBe(1)
    nowMs += leaseMs
    expect(lapsed()).toEqual(['unwanted not started'])
    expect(table.size).toBe(0)
  })

  it('that was started in time stays with its worker, also when the check is cancelled meanwhile', () => {
    add('unwanted', depth, { check: { row: 7, generation: 1 } })
    const [offer] = poll('one')
    expect(table.cancel(7)).toBe(false)
    grant(offer)
    expect(table.cancel(7)).toBe(false)
    expect(table.runningCount).toBe(1)
  })

  it('leaves room for jobs that the worker has from an earlier process', () => {
    const worker = { principal: 'berlin', workerId: 'one' }
    const earlier = { id: 'g', worker, deadlineMs: nowMs + 500, revision: 1 }
    add('old')
    const { job } = poll('two')[0]?.open ?? {}
    if (job === undefined) throw new Error('nothing was offered')
    table.restore({ ...job, executionId: 'restored' }, earlier)
    for (const id of ['a', 'b', 'c']) add(id)
    const [first] = poll('one', 16, { capacity: 2 })
    grant(first)
    expect(ids(poll('one', 16, { capacity: 2 }))).toBe('')
    nowMs += 500
    table.advance(nowMs)
    expect(ids(poll('one', 16, { capacity: 2 }))).toBe('b')
  })

  it('takes turns between job types, whatever has waited longest', () => {
    for (const id of ['a1', 'a2', 'a3']) add(id, depth)
    for (const id of ['b1', 'b2', 'b3']) add(id, mail)
    expect(ids(poll('one', 4))).toBe('a1 b1 a2 b2')
    expect(ids(poll('two', 1))).toBe('a3')
    expect(ids(poll('two', 1))).toBe('b3')
  })

  it('is never more than the worker has room for, with what it runs', () => {
    for (const id of ['a', 'b', 'c', 'd']) add(id)
    const [first] = poll('one', 16, { capacity: 2 })
    grant(first)
    expect(ids(poll('one', 16, { capacity: 3 }))).toBe('c')
  })

  it('that nobody starts is made again after five seconds, under another lease and the next revision', () => {
    add('a')
    const [first] = poll('one')
    nowMs += leaseMs - 1
    expect(table.advance(nowMs)).toEqual([])
    expect(ids(poll('two'))).toBe('')
    nowMs += 1
    expect(table.advance(nowMs)).toEqual([])
    const [second] = poll('two')
    expect(second?.open.revision).toBe(2)
    expect(second?.lease.id).not.toBe(first?.lease.id)
    expect(start({ ...first!, open: { ...first!.open, revision: 1 } }).kind).toBe('rejected')
    expect(start(second!).kind).toBe('grants')
  })

  it('that came back keeps its place before later ones', () => {
    for (const id of ['a', 'b', 'c']) add(id)
    poll('one', 1)
    nowMs += leaseMs
    table.advance(nowMs)
    expect(ids(poll('two', 3))).toBe('a b c')
  })

  it('lapses when its time to start has come, whether it waits or is reserved', () => {
    add('a', depth, { startByMs: nowMs + 3_000 })
    add('b', depth, { startByMs: nowMs + 3_000 })
    poll('one', 1)
    nowMs += 3_000
    expect(table.advance(nowMs).map(({ open, why }) => [open.job.executionId, why])).toEqual([
      ['a', 'not started'],
      ['b', 'not started'],
    ])
    expect(table.size).toBe(0)
    expect(ids(poll('two'))).toBe('')
  })
})

describe('a worker that does not start what it is offered', () => {
  beforeEach(() => {
    for (const id of ['a', 'b', 'c']) add(id)
    poll('idle', 3)
    nowMs += leaseMs
    table.advance(nowMs)
  })

  it('gets one offer at a time from then on, of what nobody else took for a second', () => {
    add('d')
    expect(ids(poll('idle', 3))).toBe('a')
    expect(ids(poll('idle', 3))).toBe('')
    expect(ids(poll('good', 16))).toBe('b c d')
  })

  it('leaves fresh jobs to the others', () => {
    expect(ids(poll('good', 16))).toBe('a b c')
    add('d')
    expect(ids(poll('idle', 3))).toBe('')
    nowMs += 1_000
    expect(ids(poll('idle', 3))).toBe('d')
  })

  it('is trusted again as soon as it starts one', () => {
    grant(poll('idle', 3)[0])
    expect(ids(poll('idle', 3))).toBe('b c')
  })
})

describe('a start', () => {
  it('is a grant only once it is stored, and gives nothing new when it is repeated', () => {
    add('a')
    const [offer] = poll('one')
    const decision = start(offer!)
    expect(decision.kind).toBe('grants')
    expect(start(offer!).kind).toBe('pending')
    table.granted(offer!.open)
    expect(start(offer!).kind).toBe('started')
  })

  it('that could not be stored leaves the lease as it was', () => {
    add('a')
    const [offer] = poll('one')
    start(offer!)
    table.notGranted(offer!.open)
    expect(start(offer!).kind).toBe('grants')
  })

  it('that could not be stored, and not be tried again in time, is offered again', () => {
    add('a')
    const [offer] = poll('one')
    start(offer!)
    nowMs += leaseMs
    expect(table.advance(nowMs)).toEqual([])
    table.notGranted(offer!.open)
    table.advance(nowMs)
    expect(ids(poll('two'))).toBe('a')
  })

  it('is refused after the lease, under another one, and for another revision', () => {
    add('a')
    const [offer] = poll('one')
    const words = { executionId: 'a', leaseId: offer!.lease.id, revision: 1 }
    expect(table.start('berlin', { ...words, leaseId: 'other' }, nowMs).kind).toBe('rejected')
    expect(table.start('berlin', { ...words, revision: 2 }, nowMs).kind).toBe('rejected')
    expect(table.start('berlin', words, nowMs + leaseMs).kind).toBe('rejected')
  })

  it('tells another principal nothing of the job', () => {
    add('a')
    const [offer] = poll('one')
    expect(start(offer!, 'paris').kind).toBe('not open')
    grant(offer)
    expect(start(offer!, 'paris').kind).toBe('not open')
  })
})

describe('what was granted', () => {
  it('runs until its deadline, which counts from the grant, and is never offered again', () => {
    add('a')
    nowMs += 2_000
    const [offer] = poll('one')
    const { grant: given } = grant(offer)
    expect(given.deadlineMs).toBe(nowMs + 10_000)
    nowMs += 9_999
    expect(table.advance(nowMs)).toEqual([])
    nowMs += 1
    expect(table.advance(nowMs)).toMatchObject([{ why: 'no result', open: { job: { executionId: 'a' } } }])
    expect(ids(poll('two'))).toBe('')
    expect(table.advance(nowMs + 100_000)).toEqual([])
  })

  it('belongs to the principal and the grant that it was given with', () => {
    add('a')
    const [offer] = poll('one')
    const { grant: given } = grant(offer)
    expect(table.running('berlin', 'a', given.id)?.job.executionId).toBe('a')
    expect(table.running('paris', 'a', given.id)).toBeNull()
    expect(table.running('berlin', 'a', 'other')).toBeNull()
    table.end(offer!.open)
    expect(table.running('berlin', 'a', given.id)).toBeNull()
  })

  it('counts for its worker until it has ended', () => {
    add('a')
    grant(poll('one')[0])
    const worker = table.roster.find({ principal: 'berlin', workerId: 'one' })
    expect(worker).toMatchObject({ active: 1, leased: 0 })
    const open = table.find('a')
    if (open !== undefined) table.end(open)
    expect(worker).toMatchObject({ active: 0, leased: 0 })
  })
})

describe('the counts', () => {
  it('have every job as waiting or as running until it has ended', () => {
    for (const id of ['a', 'b', 'c']) add(id)
    const [first, second] = poll('one', 2)
    grant(first)
    start(second!)
    expect([table.size, table.runningCount]).toEqual([3, 1])
    table.notGranted(second!.open)
    expect(table.runningCount).toBe(1)
    table.end(first!.open)
    table.end(first!.open)
    expect([table.size, table.runningCount]).toEqual([2, 0])
    expect(table.counts.granted).toBe(1)
  })

  it('have a job that an earlier process granted as running, and not as granted', () => {
    add('a')
    const { open, grant: given } = grant(poll('one')[0])
    const { job } = open
    table = new LeaseTable(() => 'unused')
    table.restore(job, given)
    expect([table.runningCount, table.counts.granted]).toEqual([1, 0])
    table.advance(given.deadlineMs)
    expect([table.runningCount, table.counts.withoutReport]).toEqual([0, 1])
  })

  it('tell an offer that passed from a job that no worker started', () => {
    add('a')
    poll('one')
    nowMs += leaseMs
    table.advance(nowMs)
    expect([table.counts.offersNotStarted, table.counts.notStarted]).toEqual([1, 0])
    nowMs += 60_000
    table.advance(nowMs)
    expect([table.counts.offersNotStarted, table.counts.notStarted]).toEqual([1, 1])
    add('b', depth, { startByMs: nowMs + 1_000 })
    poll('two')
    table.advance(nowMs + 1_000)
    expect([table.counts.offersNotStarted, table.counts.notStarted]).toEqual([2, 2])
    expect(table.counts.withoutReport).toBe(0)
  })
})
