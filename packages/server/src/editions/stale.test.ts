// Data that is not kept up to date says so wherever it is shown, is of the time at which that ended, and promises no
// further check.
import type { Overview, Stale, StaleReason } from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import { expectV1Answer } from '@pulseward/testing/api'
import { type ServedEdition, type ServeOptions, serveEdition } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it, onTestFinished } from 'vitest'

type Name = 'main' | 'candidate'

const fleet = { monitors: [http('edge'), http('shop')] }
const oneSnapshot = { settings: { snapshot_interval: 3_600_000 } }

async function serving(edition: Name, service: TestService, options: ServeOptions = {}) {
  const served = await serveEdition(edition, service, options)
  onTestFinished(() => served[Symbol.asyncDispose]())
  await eventually(async () => expect((await served.get('overview')).status).toBe(200))
  return served
}

/** A fleet with an incident, whose last check was a moment ago. */
async function inTrouble(): Promise<TestService> {
  const service = await TestService.start(fleet)
  service.target('edge').goesDown()
  await service.advance({ seconds: 61 })
  return service
}

/** All that is shown of the fleet, and what the answers say about its age. */
async function shownBy(edition: Name, { get }: ServedEdition) {
  const overview = await expectV1Answer('GetOverview', edition, await get('overview'))
  const list = await expectV1Answer('ListMonitors', edition, await get('monitors'))
  const incidents = await expectV1Answer('ListIncidents', edition, await get('incidents'))
  const detail = await expectV1Answer(
    'GetMonitor',
    edition,
    await get(`monitors/${incidents.incidents[0]!.id}`),
  )
  const map = await get('map')
  const known = await get('map', { headers: { 'if-none-match': map.headers.get('etag')! } })
  expect([map.status, known.status]).toEqual([200, 304])
  const rows = [...list.monitors, ...incidents.incidents, detail]
  return {
    stale: [overview.stale, list.stale, incidents.stale, detail.stale],
    headers: [map, known].map((answer) => answer.headers.get('pulseward-stale')),
    generated: new Set([overview, list, incidents].map(({ generated }) => generated)),
    hasNextCheck: new Set(rows.map(({ next_check }) => next_check !== null)),
  }
}

function staleSince(sinceMs: number, reason: StaleReason) {
  const since = new Date(sinceMs).toISOString()
  const stale: Stale = { since, reason }
  return {
    stale: [stale, stale, stale, stale],
    headers: Array(2).fill(`${reason}; since="${since}"`),
    generated: new Set([since]),
    hasNextCheck: new Set([false]),
  }
}

const fresh = { stale: [null, null, null, null], headers: [null, null], hasNextCheck: new Set([true]) }

describe('stale data of candidate', () => {
  it('is of the time at which decisions could not be stored any more', async () => {
    const service = await inTrouble()
    const served = await serving('candidate', service)
    expect(await shownBy('candidate', served)).toMatchObject(fresh)
    const failedAtMs = service.clock.wallMs()
    await served.breakStorage()
    service.clock.advance(20_000)
    expect(await shownBy('candidate', served)).toEqual(staleSince(failedAtMs, 'storage_unavailable'))
  })

  it('is of the last progress of a controller that stalled, and fresh again with its next', async () => {
    const service = await inTrouble()
    const served = await serving('candidate', service)
    const progressedAtMs = service.clock.wallMs()
    service.clock.advance(30_001)
    expect(await shownBy('candidate', served)).toEqual(staleSince(progressedAtMs, 'controller_stalled'))
    served.progress.note()
    expect(await shownBy('candidate', served)).toMatchObject(fresh)
  })

  it('is told on the event stream', async () => {
    const served = await serving('candidate', await inTrouble())
    const told = overviewsOf(served)
    await eventually(() => expect(told.at(-1)).toMatchObject({ stale: null }))
    await served.breakStorage()
    await eventually(() => expect(told.at(-1)).toMatchObject({ stale: { reason: 'storage_unavailable' } }))
  })
})

describe('stale data of main', () => {
  it('is of the last snapshot, once it is older than 30 seconds', async () => {
    const service = await inTrouble()
    const served = await serving('main', service, oneSnapshot)
    const takenAtMs = service.clock.wallMs()
    service.clock.advance(30_000)
    served.progress.note()
    expect(await shownBy('main', served)).toMatchObject(fresh)
    service.clock.advance(1)
    expect(await shownBy('main', served)).toEqual(staleSince(takenAtMs, 'stale_snapshot'))
  })

  it('is of the last progress of a controller that stalled, however new the snapshots of it are', async () => {
    const service = await inTrouble()
    const served = await serving('main', service)
    const progressedAtMs = service.clock.wallMs()
    service.clock.advance(30_001)
    await eventually(async () =>
      expect(await shownBy('main', served)).toEqual(staleSince(progressedAtMs, 'controller_stalled')),
    )
  })

  it('is told on the event stream', async () => {
    const service = await inTrouble()
    const served = await serving('main', service, oneSnapshot)
    const told = overviewsOf(served, 'snapshot')
    await eventually(() => expect(told.at(-1)).toMatchObject({ stale: null }))
    service.clock.advance(30_001)
    await eventually(() => expect(told.at(-1)).toMatchObject({ stale: { reason: 'stale_snapshot' } }))
  })
})

/** The data of all events with this name, as they come. */
function overviewsOf({ url }: ServedEdition, name = 'overview'): Pick<Overview, 'generated' | 'stale'>[] {
  const told: Pick<Overview, 'generated' | 'stale'>[] = []
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const follow = async () => {
    const answer = await fetch(`${url}/api/v1/events`, { signal: ending.signal })
    let text = ''
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const events = text.split('\n\n')
      text = events.pop()!
      for (const event of events)
        if (event.includes(`event: ${name}\n`)) told.push(JSON.parse(event.split('\ndata: ')[1]!))
    }
  }
  follow().catch(() => {})
  return told
}
