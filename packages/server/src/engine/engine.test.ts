import { EngineUnderTest, endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { failure } from '../checks/driver.ts'
import type { CommitBatch, Committed } from '../store/store.ts'

const fleet = [{ ...http('edge'), notify: { red: { endpoints: ['ops'] } } }]

/** A store whose commits end when the test says so. */
class SlowStore {
  readonly batches: CommitBatch[] = []
  #waiting: (() => void)[] = []
  isSlow = false

  async commit(batch: CommitBatch): Promise<Committed> {
    this.batches.push(batch)
    if (this.isSlow) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return { position: this.batches.length, latencyMs: 0 }
  }

  release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

describe('a turn', () => {
  it('stores all that was decided in it as one batch', async () => {
    const store = new SlowStore()
    const { engine, fleet: monitors } = await EngineUnderTest.start([http('a'), http('b')], store)
    const before = store.batches.length
    await engine.turn((turn) => {
      for (let row = 0; row < monitors.rows; row++)
        turn.decide({ kind: 'monitor', row, input: { kind: 'disabled' } })
    })
    expect(store.batches.slice(before).map(({ states }) => states.length)).toEqual([2])
  })

  it('lets effects go when its batch is on disk, and not before', async () => {
    const store = new SlowStore()
    const { engine } = await EngineUnderTest.start([http('a')], store)
    store.isSlow = true
    const effects: string[] = []
    const stored = engine.turn((turn) => turn.afterCommit(() => effects.push('sent')))
    expect(effects).toEqual([])
    store.release()
    expect(await stored).toBe('stored')
    expect(effects).toEqual(['sent'])
  })

  it('lets nothing go when its batch cannot be stored', async () => {
    const store = new SlowStore()
    const { engine } = await EngineUnderTest.start([http('a')], store)
    store.commit = () => Promise.reject(new Error('the disk is full'))
    const effects: string[] = []
    expect(await engine.turn((turn) => turn.afterCommit(() => effects.push('sent')))).toBe('uncertain')
    expect(effects).toEqual([])
  })

  it('cannot begin inside another one', async () => {
    const { engine } = await EngineUnderTest.start([http('a')])
    expect(() => engine.turn(() => void engine.turn(() => {}))).toThrow('a turn began inside another one')
    expect(await engine.turn(() => {})).toBe('stored')
  })

  it.each(['withdrawn', 'told', 'awaited'] as const)(
    'takes no request (%s) before the start: the state that it builds on is not restored yet',
    async (unstored) => {
      let isTaken = false
      const work = () => {
        isTaken = true
      }
      expect(await EngineUnderTest.unstarted().engine.request(unstored, work)).toBe('refused')
      expect(isTaken).toBe(false)
      const { engine } = await EngineUnderTest.start([http('a')])
      expect(await engine.request(unstored, work)).toBe('stored')
      expect(isTaken).toBe(true)
    },
  )

  it('notices a stall before the work, whatever the work is', async () => {
    const tested = await EngineUnderTest.start([http('a')])
    const check = tested.next()
    tested.clock.advance(5_000)
    const timeout = { ...failure(5_000, 'no answer in time', 'local'), status: 'timeout' } as const
    tested.end(check, timeout)
    expect(tested.statusOf(0)).toBe('unknown')
  })
})

it('takes a result that comes while it stops for what it is, however long no tick came', async () => {
  const tested = await EngineUnderTest.start([http('a')])
  const check = tested.next()
  await tested.engine.stop()
  tested.clock.advance(5_000)
  tested.end(check, { ...failure(5_000, 'no answer in time', 'local'), status: 'timeout' })
  expect(tested.statusOf(0)).toBe('down')
})

it('answers to the end in one decision: a failed check opens the incident and queues its red', async () => {
  const service = await TestService.start({ monitors: fleet, head: endpoints('ops') })
  service.target('edge').goesDown()
  await service.advance({ seconds: 60 })
  const opened = (await service.events('edge')).filter(({ type }) => type === 'incident_opened')
  const queued = (await service.events('edge')).filter(({ type }) => type === 'action_queued')
  expect(opened).toHaveLength(1)
  expect(queued.map(({ at, color }) => [at, color])).toEqual([[opened[0]?.at, 'red']])
})
