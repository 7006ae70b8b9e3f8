// What v1 and v2 show of the places of a monitor.
import { LocationFinding, v2 } from '@pulseward/contract'
import { http, TestService } from '@pulseward/testing/engine'
import { Value } from 'typebox/value'
import { expect, it } from 'vitest'
import { ConnectedProbe } from '../locations/connected-probe.fixture.ts'
import { placesViewV1, placesViewV2 } from './places-view.ts'

it('shows what each place said last, and nothing of a monitor that only the service checks', async () => {
  const { check, ...edge } = http('edge')
  const monitor = { ...edge, check: { ...check, timeout: '5s', locations: ['local', 'fra', 'iad', 'sin'] } }
  const service = await TestService.start({ monitors: [monitor, http('plain')] })
  const fra = new ConnectedProbe(service)
  const iad = new ConnectedProbe(service, 'iad-1', 'iad')
  const view = (id: string) => service.engine.reading.placesOf(service.rowOf(id))
  expect(placesViewV1(view('edge')).locations?.[1]).toEqual({
    location: 'fra',
    at: null,
    outcome: null,
    latency_ms: null,
    reason: null,
  })
  while (fra.asked.length === 0) await service.advance({ ms: 100 })
  fra.answer({ status: 'success', latencyMs: 12 })
  iad.answer({ status: 'failure', reason: 'status 503' })
  await service.advance({ seconds: 1 })
  const { locations = [] } = placesViewV1(view('edge'))
  expect(locations).toMatchObject([
    { location: 'local', outcome: 'success', reason: null },
    { location: 'fra', outcome: 'success', latency_ms: 12, reason: null },
    { location: 'iad', outcome: 'failure', reason: 'status 503' },
    { location: 'sin', outcome: 'own_fault', latency_ms: null, reason: 'no probe is connected' },
  ])
  for (const one of locations) expect(Value.Check(LocationFinding, one)).toBe(true)
  const inV2 = placesViewV2(view('edge')).locations ?? []
  expect(inV2[2]).toMatchObject({ location: 'iad', outcome: 'failure', latencyMs: 5, reason: 'status 503' })
  for (const one of inV2) expect(Value.Check(v2.LocationStatus, one)).toBe(true)
  expect([placesViewV1(view('plain')), placesViewV2(view('plain'))]).toEqual([{}, {}])
})
