// Whole-service timelines of who is told, and of monitors that tell nobody, while the fleet changes.
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { definitionOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import type { FleetHead, MonitorDocument } from './config/fleet-file/schema.ts'
import { headOf } from './fleet/fleet-change.ts'

const destinations = endpoints('ops', 'pager').endpoints!
const toOps = { red: { endpoints: ['ops'] } }
const loud = { ...http('loud'), notify: toOps }
const silent = http('silent')
const disabled = { ...http('disabled'), enabled: false }
const ofPayments = { ...http('of-payments'), labels: { team: 'payments' } }
const toPayments: FleetHead = {
  routes: [{ match: { team: 'payments' }, colors: ['red'], endpoints: ['pager'] }],
}

const filesOf = (monitors: readonly MonitorDocument[], head: FleetHead = {}) => ({
  monitors,
  head: { endpoints: destinations, ...head },
})

/** The monitors that tell nobody, by the column; it is brought up to date by counting. */
function silentOnes({ engine, fleet }: TestService): string[] {
  const count = engine.reading.countSilent()
  const ids = [...fleet.rowsInUse()].filter((row) => fleet.columns.tellsNobody[row] === 1)
  expect(ids).toHaveLength(count)
  expect(fleet.counts.tellsNobody).toBe(count)
  return ids.map((row) => fleet.idOf(row)).sort()
}

/** Changes single monitors, as a write through v2 does. */
async function amend(
  { engine }: TestService,
  entries: readonly MonitorDocument[],
  removed: readonly string[] = [],
  head: FleetHead | null = null,
): Promise<void> {
  const definition = definitionOf(entries, head === null ? {} : { endpoints: destinations, ...head })
  await engine.turn((turn) => {
    engine.amendFleet(
      turn,
      { entries: definition, removed, head: head === null ? null : headOf(definition) },
      null,
    )
  })
}

const namesOf = ({ engine, fleet }: TestService, id: string) =>
  engine.reading
    .audienceOf(fleet.rowOf(id))
    .red.flatMap(({ destination, namedBy }) =>
      namedBy.map(({ kind, name }) => `${destination} by ${name ?? kind}`),
    )

describe('monitors that tell nobody', () => {
  it('are enabled, and neither their rules, a default nor a route name anybody for red', async () => {
    const service = await TestService.start(filesOf([loud, silent, disabled, ofPayments], toPayments))
    expect(silentOnes(service)).toEqual(['silent'])
  })

  it('are found again after a reload with a default', async () => {
    const service = await TestService.start(filesOf([loud, silent, ofPayments]))
    expect(silentOnes(service)).toEqual(['of-payments', 'silent'])
    await service.reload(filesOf([loud, silent], { defaults: { notify: toOps } }))
    expect(silentOnes(service)).toEqual([])
    expect(namesOf(service, 'silent')).toEqual(['ops by default'])
    expect(namesOf(service, 'loud')).toEqual(['ops by own'])
    await service.reload(filesOf([loud, silent, ofPayments], toPayments))
    expect(silentOnes(service)).toEqual(['silent'])
    expect(namesOf(service, 'of-payments')).toEqual(['pager by routes.0'])
  })

  it('follow every change of a single monitor', async () => {
    const service = await TestService.start(filesOf([loud, silent]))
    expect(silentOnes(service)).toEqual(['silent'])
    await amend(service, [http('loud'), { ...silent, notify: toOps }, http('new')])
    expect(silentOnes(service)).toEqual(['loud', 'new'])
    await amend(service, [{ ...http('new'), enabled: false }], ['loud'])
    expect(silentOnes(service)).toEqual([])
    await amend(service, [http('new')])
    expect(silentOnes(service)).toEqual(['new'])
  })

  it('follow labels, and routes that come and go', async () => {
    const service = await TestService.start(filesOf([silent, ofPayments]))
    expect(silentOnes(service)).toEqual(['of-payments', 'silent'])
    await amend(service, [], [], toPayments)
    expect(silentOnes(service)).toEqual(['silent'])
    await amend(service, [{ ...silent, labels: { team: 'payments' } }, http('of-payments')])
    expect(silentOnes(service)).toEqual(['of-payments'])
    await amend(service, [], [], {})
    expect(silentOnes(service)).toEqual(['of-payments', 'silent'])
  })

  it('are looked at a few with every tick, so that nobody who asks waits for a large fleet', async () => {
    const many = Array.from({ length: 5_000 }, (_, number) => http(`m${number}`, { every: '1h' }))
    const service = await TestService.start(filesOf([...many, loud]))
    const { counts } = service.fleet
    expect(counts.tellsNobody).toBe(0)
    await service.advance({ seconds: 1 })
    expect(counts.tellsNobody).toBe(5_000)
    await amend(service, [], [], { routes: [{ match: {}, colors: ['red'], endpoints: ['ops'] }] })
    await service.advance({ seconds: 1 })
    expect([counts.tellsNobody, service.engine.reading.countSilent()]).toEqual([0, 0])
  })

  it('are the same after a restart', async () => {
    const files = filesOf([loud, silent, disabled])
    const service = await TestService.start(files)
    await service.restart(files)
    expect(silentOnes(service)).toEqual(['silent'])
  })
})

describe('rules that the files give by default', () => {
  it('raise no revision over a restart when the monitor is given the same as its own', async () => {
    const service = await TestService.start(filesOf([silent], { defaults: { notify: toOps } }))
    await service.restart(filesOf([{ ...silent, notify: toOps }]))
    expect(namesOf(service, 'silent')).toEqual(['ops by own'])
    expect(service.engine.reading.revisionOf('silent', service.fleet.rowOf('silent'))).toBe(1)
  })
})
