// The alertmanager notifier against a real Alertmanager, and the webhook's format against what that one sends.
import { notificationOf, notifyOnce } from '@pulseward/testing/notify'
import { Alertmanager, describeServer, alertmanager as server } from '@pulseward/testing/servers'
import { answers, HttpTarget, readRequest } from '@pulseward/testing/targets'
import { expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Notification } from '../driver.ts'
import { webhook } from '../webhook/webhook.ts'
import { alertmanager } from './alertmanager.ts'

const now = (changes: Partial<Notification> = {}): Notification =>
  notificationOf({ sinceMs: Date.now() - 30_000, atMs: Date.now(), ...changes })

const send = (api_url: string, notification: Notification): Promise<ActionOutcome> =>
  notifyOnce(alertmanager, { api_url, labels: { team: 'payments' } }, { notification, timeoutMs: 5_000 })

/** Takes what Alertmanager passes on, one after the other. */
function received(target: HttpTarget): () => Promise<Record<string, unknown>> {
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  const reader = readable.getReader()
  target.behave({
    when: 'request',
    act(socket, request) {
      void writer.write(request)
      answers().act(socket, request)
    },
  })
  return async () => JSON.parse(readRequest((await reader.read()).value!).body)
}

/** Alertmanager leaves zeros at the end of a fraction out. */
const asWritten = (atMs: number) => new Date(atMs).toISOString().replace(/\.?0+Z$/, 'Z')

describeServer(server, (program) => {
  it('opens, updates and ends an alert that Alertmanager passes on', async () => {
    await using target = await HttpTarget.start()
    const next = received(target)
    await using manager = await Alertmanager.start(program, target.url('/'))

    expect(await send(manager.url, now())).toEqual({ kind: 'accepted' })
    expect(await next()).toMatchObject({
      status: 'firing',
      alerts: [{ labels: { monitor_id: 'checkout-api', team: 'payments' }, annotations: { color: 'red' } }],
    })
    const [open] = await manager.alerts()
    expect(open).toMatchObject({ generatorURL: 'https://status.test/monitors/checkout-api' })
    // Alertmanager would end it in five minutes by itself without an end of ours.
    expect(Date.parse(open!.endsAt)).toBeGreaterThan(Date.now() + 24 * 60 * 60_000)

    expect(await send(manager.url, now({ cause: 'repeat' }))).toMatchObject({ kind: 'accepted' })
    expect(await manager.alerts()).toHaveLength(1)

    const beganMs = Date.parse(open!.startsAt)
    const green = now({ color: 'green', monitor: 'Renamed', severity: 'info', beganMs })
    expect(await send(manager.url, green)).toEqual({ kind: 'accepted' })
    expect(await next()).toMatchObject({
      status: 'resolved',
      alerts: [
        {
          status: 'resolved',
          startsAt: asWritten(beganMs),
          endsAt: asWritten(green.atMs),
          annotations: { summary: expect.stringMatching(/^Renamed has recovered/) },
        },
      ],
    })
    expect(await manager.alerts()).toEqual([])
  })

  it('ends an alert also where the clock of Alertmanager is behind ours', async () => {
    await using target = await HttpTarget.start()
    const next = received(target)
    await using manager = await Alertmanager.start(program, target.url('/'))
    await send(manager.url, now())
    await next()
    const atMs = Date.now() + 1_000
    await send(manager.url, now({ color: 'green', atMs }))
    expect(await next()).toMatchObject({ alerts: [{ endsAt: asWritten(atMs) }] })
  })

  it('says the same in the webhook as Alertmanager itself', async () => {
    await using target = await HttpTarget.start()
    const next = received(target)
    await using manager = await Alertmanager.start(program, target.url('/'))
    const notification = now()
    await send(manager.url, notification)
    const theirs = await next()
    const request = webhook.buildRequest({ url: target.url('/'), format: 'alertmanager' }, notification)
    const ours = JSON.parse(request.body!)
    const keysOf = (body: Record<string, unknown>) => ({
      body: Object.keys(body).sort(),
      alert: Object.keys((body['alerts'] as object[])[0]!).sort(),
    })
    expect(keysOf(ours)).toEqual(keysOf(theirs))
    expect(ours).toMatchObject({ version: theirs['version'], commonAnnotations: theirs['commonAnnotations'] })
  })

  it('takes a refusal for one', async () => {
    await using target = await HttpTarget.start()
    await using manager = await Alertmanager.start(program, target.url('/'))
    const prefix = `${manager.url}/elsewhere`
    expect(await send(prefix, now())).toEqual({ kind: 'rejected', reason: 'the provider answered 404' })
  })
})
