// What explain says of the places at which a monitor is checked.
import { http, TestService } from '@pulseward/testing/engine'
import { expect, it } from 'vitest'
import { OnCallViews } from '../projection/v2/on-call-views.ts'
import { Explanations } from './explanations.ts'

async function locationsRuleOf(locations: readonly string[]) {
  const { check, ...edge } = http('edge')
  const monitor = { ...edge, check: { ...check, timeout: '5s', locations: [...locations] } }
  const service = await TestService.start({ monitors: [monitor] })
  await service.advance({ seconds: 30 })
  const { fleet, engine, store, clock } = service
  const onCall = new OnCallViews(fleet, engine.reading)
  const explanations = new Explanations({ fleet, engine: engine.reading, store, onCall, clock })
  const { rules } = (await explanations.ofMonitor('edge', null))!
  return rules.filter(
    ({ rule, verdict }) => rule === 'locations' || (rule === 'own_fault' && verdict === 'decided'),
  )
}

it.each([
  [['local'], 'not_applicable', 'It is checked by this service alone.'],
  [
    ['fra'],
    'decided',
    'It is checked at fra. The last check could not decide: no result from fra: no probe is connected.',
  ],
  [
    ['local', 'fra', 'iad'],
    'decided',
    'It is checked at local, fra and iad; a check fails if it fails at 2 of these 3. The last check could not decide: no result from fra and iad: no probe is connected; local succeeds.',
  ],
])('a monitor of %j: %s', async (locations, verdict, text) => {
  expect(await locationsRuleOf(locations)).toMatchObject([{ rule: 'locations', verdict, text }])
})
