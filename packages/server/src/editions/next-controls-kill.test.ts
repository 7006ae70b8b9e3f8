// Controls and kill -9: what was answered is there when the next process has started, and a snooze ends in it.
import { readFileSync } from 'node:fs'
import type { v2 } from '@pulseward/contract'
import { eventually, temporaryFolder } from '@pulseward/testing'
import { expectV2Answer } from '@pulseward/testing/api'
import { callOperation, type V2Call } from '@pulseward/testing/editions'
import { RunningCommand, type RunningService } from '@pulseward/testing/process'
import { answers, HttpTarget } from '@pulseward/testing/targets'
import { expect, it } from 'vitest'

const check = { type: 'http', interval: '1s', timeout: '1s', unhealthy_threshold: 1, healthy_threshold: 1 }

it('keeps every control that was answered over kill -9, of monitors that a file manages', {
  tags: 'long',
}, async () => {
  using folder = temporaryFolder()
  await using target = await HttpTarget.start()
  target.behave(answers({ status: 503 }))
  const monitors = ['told', 'asleep'].map((id) => ({
    id,
    name: id,
    check: { ...check, config: { url: target.url(`/${id}`) } },
  }))
  const fleet = folder.write('fleet.json', JSON.stringify({ version: 1, monitors }))
  const data = folder.path('data')
  const start = () => RunningCommand.serve(['--edition', 'next', '--config', fleet, '--data', data])
  let service: RunningService = await start()
  const token = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
  const call = (name: v2.OperationName, asked?: V2Call) =>
    callOperation(service.url, { reader: token, operator: token, worker: token }, name, asked)
  const control = async (name: v2.OperationName, id: string, revision: string, words: object) => {
    const headers = { 'if-match': `"${revision}"` }
    return expectV2Answer(name, await call(name, { id, headers, body: { revision, ...words } }))
  }
  const incidents = async () => (await expectV2Answer('ListIncidents', await call('ListIncidents'))).items
  const statusOf = async (id: string) =>
    (await expectV2Answer('GetMonitor', await call('GetMonitor', { id }))).status
  const killAndStart = async () => {
    service.signal('SIGKILL')
    await service.ended
    service = await start()
  }
  try {
    await eventually(async () => expect(await incidents()).toHaveLength(2))
    const told = (await incidents()).find(({ monitorID }) => monitorID === 'told')
    await control('AcknowledgeIncident', told?.id ?? '', told?.revision ?? '', { note: 'looking into it' })
    await killAndStart()
    const acknowledged = (await incidents()).find(({ id }) => id === told?.id)
    expect(acknowledged).toMatchObject({ state: 'open', acknowledgedBy: 'first' })

    await control('DismissIncident', told?.id ?? '', acknowledged?.revision ?? '', { reason: 'known' })
    const snooze = async (duration: string) => {
      const revision = (await statusOf('asleep'))?.controlRevision ?? ''
      await control('SnoozeMonitor', 'asleep', revision, { reason: 'work', duration })
    }
    await snooze('10m')
    const asleep = await statusOf('asleep')
    await killAndStart()
    expect(await statusOf('asleep')).toMatchObject({
      controlRevision: asleep?.controlRevision,
      snoozedUntil: asleep?.snoozedUntil,
      incidentID: asleep?.incidentID,
      health: 'unknown',
    })
    expect((await incidents()).find(({ id }) => id === told?.id)).toMatchObject({ dismissed: true })
    await snooze('2s')
    await killAndStart()
    // Status is live; the log has what is on disk.
    await eventually(async () => {
      const { items } = await expectV2Answer('GetHistory', await call('GetHistory', { query: '?limit=500' }))
      const controls = items.filter(({ kind }) => /^control|^snooze/.test(kind))
      expect(controls.map(({ kind, actor }) => [kind, actor])).toEqual([
        ['control_acknowledged', 'first'],
        ['control_dismissed', 'first'],
        ['control_snoozed', 'first'],
        ['control_snoozed', 'first'],
        ['snooze_expired', undefined],
      ])
    })
    const awake = await statusOf('asleep')
    expect([awake?.snoozedUntil, awake?.incidentID]).toEqual([undefined, asleep?.incidentID])
    expect(awake?.controlRevision).not.toBe(asleep?.controlRevision)
  } finally {
    await service[Symbol.asyncDispose]()
  }
})
