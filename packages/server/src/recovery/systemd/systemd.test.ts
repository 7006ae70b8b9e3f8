// The buses here are stand-ins that speak the D-Bus specification.

import { temporaryFolder } from '@pulseward/testing'
import { mistakesIn } from '@pulseward/testing/fleet'
import { recoverOnce } from '@pulseward/testing/recovery'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import { SystemBus, type SystemBusOptions } from './system-bus.fixture.ts'
import { systemd } from './systemd.ts'

async function restart(
  unit: string,
  options: SystemBusOptions,
): Promise<{ outcome: ActionOutcome; bus: SystemBus }> {
  using folder = temporaryFolder()
  await using bus = await SystemBus.start(folder.path('bus'), options)
  return { outcome: await recoverOnce(systemd, { unit, bus: bus.path }), bus }
}

describe('the systemd recovery', () => {
  it('asks systemd to restart the unit, without a program', async () => {
    const { outcome, bus } = await restart('worker@3.service', { units: { 'worker@3.service': 'job' } })
    expect(outcome).toEqual({ kind: 'accepted' })
    expect(bus.calls).toEqual([
      {
        destination: 'org.freedesktop.systemd1',
        path: '/org/freedesktop/systemd1',
        interface: 'org.freedesktop.systemd1.Manager',
        member: 'RestartUnit',
        texts: ['worker@3.service', 'replace'],
      },
    ])
  })

  it('tells the bus which user it is', async () => {
    const { bus } = await restart('a.service', {})
    const userId = Buffer.from(String(process.getuid!())).toString('hex')
    expect(bus.authentications).toEqual([`\0AUTH EXTERNAL ${userId}`, 'BEGIN'])
  })

  it.each([
    ['org.freedesktop.systemd1.NoSuchUnit', 'a.service does not exist'],
    ['org.freedesktop.systemd1.UnitMasked', 'a.service is masked'],
    [
      'org.freedesktop.DBus.Error.AccessDenied',
      'a.service may not be restarted by this process: it needs root or a polkit rule',
    ],
    ['org.freedesktop.DBus.Error.ServiceUnknown', 'systemd is not on the bus of this machine'],
    ['org.freedesktop.systemd1.Something', 'a.service was not restarted (Something)'],
  ])('rejects for the error %s', async (error, reason) => {
    const { outcome } = await restart('a.service', { units: { 'a.service': { error } } })
    expect(outcome).toEqual({ kind: 'rejected', reason })
  })

  it('does not know the outcome of a call that the bus lost', async () => {
    const units = { 'a.service': { error: 'org.freedesktop.DBus.Error.NoReply' } }
    expect((await restart('a.service', { units })).outcome).toEqual({
      kind: 'unknown',
      reason: 'systemd did not answer for a.service (NoReply)',
    })
  })

  it('has asked for nothing if the bus does not accept it', async () => {
    const { outcome, bus } = await restart('a.service', { welcome: 'REJECTED DBUS_COOKIE_SHA1\r\n' })
    expect(outcome).toMatchObject({
      kind: 'rejected',
      reason: expect.stringMatching(/does not let this process in$/),
    })
    expect(bus.calls).toEqual([])
  })

  it.each([
    'nginx',
    '*.service',
    'a b.service',
    '../a.service',
    '-a',
    'worker@.service',
    'a.service\\n',
    'a.exe',
  ])('refuses the unit %j in a fleet file', async (unit) => {
    const recovery = { type: 'systemd', config: { unit } }
    const check = { type: 'tcp', config: { host: 'a.test', port: 1 } }
    expect(await mistakesIn(JSON.stringify({ monitors: [{ name: 'a', check, recovery }] }))).toEqual([
      expect.stringContaining('monitors[0].recovery.config.unit'),
    ])
  })
})
