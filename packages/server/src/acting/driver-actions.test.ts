// Actions are refused, not carried out with something missing.
import { notificationOf, outboundFixture } from '@pulseward/testing/notify'
import { intervention } from '@pulseward/testing/recovery'
import { HttpTarget } from '@pulseward/testing/targets'
import { expect, it } from 'vitest'
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import { ActionSources } from './action-sources.ts'
import { DriverActions } from './driver-actions.ts'

const refusal = {
  kind: 'rejected',
  reason: 'the credential "KEY" has no value; define it under credentials in the fleet file',
}

it('sends nothing whose credential has no value', async () => {
  await using target = await HttpTarget.start()
  using fixture = outboundFixture()
  const { network } = fixture
  const actions = new DriverActions({
    outlets: { network, log: () => {} },
    means: { network, allowCommand: false },
  })
  const config = { url: target.url(), headers: { Authorization: { credential: 'KEY' } } }
  const fleet = { endpoints: new Map([['ops', { type: 'webhook', config }]]) } as unknown as FleetDefinition
  const recovery = { type: 'webhook', timeoutMs: 1_000, settleMs: null, config }

  actions.setFleet(fleet, new Map())
  expect(await actions.notify('ops', notificationOf())).toEqual(refusal)
  expect(await actions.recover(recovery, intervention)).toEqual(refusal)
  expect(target.acceptedSockets).toBe(0)
  expect(actions.targetOf(recovery)).toContain('KEY')

  actions.setFleet(fleet, new Map([['KEY', 'Bearer x']]))
  expect(await actions.recover(recovery, intervention)).toEqual({ kind: 'accepted' })
  expect(target.acceptedSockets).toBe(1)
  const fingerprints = [new Map(), new Map([['KEY', 'x']])].map((credentials) =>
    new ActionSources([actions]).destinations(fleet, credentials),
  )
  expect(fingerprints[0]).not.toEqual(fingerprints[1])
})
