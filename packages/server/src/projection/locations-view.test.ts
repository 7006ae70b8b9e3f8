// Locations and their probes, as v1 and metrics show them.
import { Location } from '@pulseward/contract'
import { TestService } from '@pulseward/testing/engine'
import { Value } from 'typebox/value'
import { expect, it } from 'vitest'
import { ConnectedProbe } from '../locations/connected-probe.fixture.ts'
import { locationFamilies, locationsView } from './locations-view.ts'

const monitor = (id: string, location: string) => ({
  id,
  name: id,
  check: { type: 'tcp', interval: '10s', locations: [location], config: { host: '192.0.2.1', port: 1 } },
})

it('shows what monitors name and what is connected, with what each probe does', async () => {
  const service = await TestService.start({ monitors: [monitor('a', 'fra'), monitor('b', 'iad')] })
  const probe = new ConnectedProbe(service)
  while (probe.asked.length === 0) await service.advance({ seconds: 1 })
  const { locations = [] } = locationsView(service.remote)
  const about = {
    name: 'fra-1',
    principal: 'fra',
    version: '0.1.0',
    connected_since: '1970-01-01T00:00:00.000Z',
  }
  expect(locations).toEqual([
    { name: 'fra', probes: [{ ...about, state: 'connected', monitors: 1, in_flight: 1 }] },
    { name: 'iad', probes: [] },
  ])
  for (const location of locations) expect(Value.Check(Location, location)).toBe(true)
  probe.send(probe.state({ isOverloaded: true }))
  expect(locationsView(service.remote).locations?.[0]?.probes[0]?.state).toBe('overloaded')
  probe.send(probe.state({ isDraining: true }))
  expect(locationsView(service.remote).locations?.[0]?.probes[0]?.state).toBe('draining')
})

it('counts probes, checks and refusals by location, and knows nothing where the service checks all', async () => {
  const service = await TestService.start({ monitors: [monitor('a', 'fra'), monitor('b', 'iad')] })
  const probe = new ConnectedProbe(service)
  for (let second = 0; second < 11; second++) {
    await service.advance({ seconds: 1 })
    probe.answer({ status: 'success' })
  }
  const values = Object.fromEntries(
    locationFamilies(service.remote).flatMap((family) =>
      family.samples.map(({ labels = {}, value }) => [
        `${family.name} ${Object.values(labels).join(' ')}`,
        value,
      ]),
    ),
  )
  expect(values).toMatchObject({
    'pulseward_location_probes fra': 1,
    'pulseward_location_probes iad': 0,
    'pulseward_location_checks_in_flight fra': 0,
    'pulseward_location_checks fra success': 1,
    'pulseward_location_checks fra no_data': 0,
    'pulseward_location_checks iad no_data': 1,
    'pulseward_probe_refusals location': 0,
  })
  const local = await TestService.start({ monitors: [] })
  expect(locationsView(local.remote)).toEqual({})
  expect(locationsView(null)).toEqual({})
  expect(locationFamilies(null)).toEqual([])
})
