// What the flow of checks relies on, asked of every source: each offer ends at most once, nothing of a monitor is offered beside
// what it has in flight, and a check that is not wanted any more leaves nothing behind.
import type { TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { monitorId, type SourceKind, type SourceWorld, sourceKinds } from './check-source.fixture.ts'

const isInFlight = ({ parts }: TestService, row: number) => parts.checks.scheduler.isInFlight(row)

/** Sees everything that goes between the flow and a source, in every process. */
class Witness {
  offers = 0
  ends = 0
  readonly faults: string[] = []
  readonly #world: SourceWorld
  #inFlight = new Map<number, number>()

  constructor(world: SourceWorld) {
    this.#world = world
    this.watch()
  }

  /** Another process runs, and has what is in flight from the one before. */
  watch(): void {
    const { checks, service } = this.#world
    const flow = service.parts.checks
    const { generation } = service.fleet.columns
    const resumed = [...service.fleet.rowsInUse()].filter((row) => isInFlight(service, row))
    this.#inFlight = new Map(resumed.map((row) => [row, generation[row]!]))
    const offer = checks.offer.bind(checks)
    checks.offer = (row, generation, nextDueMs) => {
      if (this.#inFlight.has(row)) this.faults.push('a check is offered beside another')
      this.#inFlight.set(row, generation)
      this.offers++
      offer(row, generation, nextDueMs)
    }
    const cancel = checks.cancel.bind(checks)
    checks.cancel = (row) => {
      const isGone = cancel(row)
      if (isGone) this.#end(row)
      return isGone
    }
    const notTaken = flow.notTaken.bind(flow)
    flow.notTaken = (row) => {
      this.#end(row)
      notTaken(row)
    }
    const takeResults = flow.takeResults.bind(flow)
    flow.takeResults = (turn, source, batch) => {
      for (const [position, row] of batch.rows.entries()) {
        const isOther = this.#inFlight.get(row) !== batch.generations[position]
        if (isOther) this.faults.push('a result of something that is not in flight')
        this.#end(row)
      }
      takeResults(turn, source, batch)
    }
  }

  #end(row: number): void {
    if (!this.#inFlight.delete(row)) this.faults.push('a check ends twice, or was never offered')
    this.ends++
  }
}

async function begin({ start }: SourceKind) {
  const world = await start()
  const witness = new Witness(world)
  const { service } = world
  /** Time passes until something is offered. */
  const untilOffered = async () => {
    const { offers } = witness
    for (let second = 0; witness.offers === offers; second++) {
      if (second > 30) throw new Error('nothing is offered')
      await service.advance({ seconds: 1 })
    }
  }
  /** What is in flight has ended. */
  const untilEnded = (row: number) => expect.poll(() => isInFlight(service, row)).toBe(false)
  return { world, witness, service, untilOffered, untilEnded }
}

describe.each(sourceKinds.map((make) => [make().name, make] as const))('%s', (_, make) => {
  it('answers an offer once, and is offered the next slot then', async () => {
    const { world, witness, service, untilOffered, untilEnded } = await begin(make())
    await using _world = world
    await untilOffered()
    await world.answer()
    await untilEnded(0)
    expect(service.statusOf(monitorId)).toBe('up')
    expect(world.held).toBe(0)
    await untilOffered()
    await world.answer()
    await untilEnded(0)
    expect(witness).toMatchObject({ offers: 2, ends: 2, faults: [] })
    expect(service.parts.checks.pool.busy).toBe(0)
  })

  it('ends an offer that is not answered at most once, and is offered the next slot then', async () => {
    const { world, witness, untilOffered, untilEnded } = await begin(make())
    await using _world = world
    await untilOffered()
    await world.fallSilent()
    if (witness.offers === 1) {
      await untilEnded(0)
      await untilOffered()
    }
    expect(witness).toMatchObject({ offers: 2, ends: 1, faults: [] })
  })

  it.each(['removed', 'disabled', 'changed'] as const)(
    'leaves nothing behind of a check whose monitor is %s',
    async (what) => {
      const kind = make()
      const { world, witness, service, untilOffered, untilEnded } = await begin(kind)
      await using _world = world
      await untilOffered()
      const changes = {
        removed: [],
        disabled: [{ ...kind.monitor(), enabled: false }],
        changed: [kind.monitor(true)],
      }
      await service.reload({ monitors: changes[what] })
      if (world.checks.runsHere) await world.fallSilent()
      await untilEnded(0)
      expect(world.held).toBe(0)
      expect(service.parts.checks.pool.busy).toBe(0)
      await service.reload({ monitors: [kind.monitor(true)] })
      await untilOffered()
      await world.answer()
      await untilEnded(service.rowOf(monitorId))
      expect(service.statusOf(monitorId)).toBe('up')
      expect(witness).toMatchObject({ offers: 2, ends: 2, faults: [] })
    },
  )

  it('is offered nothing while nothing can be stored', async () => {
    const { world, witness, service, untilOffered } = await begin(make())
    await using _world = world
    service.engine.pause()
    await service.advance({ seconds: 45 })
    expect(witness.offers).toBe(0)
    service.engine.resume()
    await untilOffered()
    expect(witness).toMatchObject({ offers: 1, faults: [] })
  })

  it('is offered nothing beside what it has from an earlier process', async () => {
    const { world, witness, service, untilOffered, untilEnded } = await begin(make())
    await using _world = world
    await untilOffered()
    await world.leave?.()
    await service.restart()
    witness.watch()
    const before = witness.offers
    if (world.leave === null) {
      // Nothing outlives the process, so its own time slot is offered.
      await untilOffered()
    } else {
      const row = service.rowOf(monitorId)
      expect(isInFlight(service, row)).toBe(true)
      await service.advance({ seconds: 5 })
      await world.answer()
      await untilEnded(row)
      expect(service.statusOf(monitorId)).toBe('up')
      expect(witness.offers).toBe(before)
      expect(service.engine.reading.sloReport().reports[0]?.samples ?? 0).toBe(0)
      await untilOffered()
    }
    expect(witness.faults).toEqual([])
  })
})
