// The Debian package in a Debian of its own that was booted: installed, hardened, reloaded, watched, upgraded with its data,
// removed and purged. The tests are one story, in this order.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describeUnless, eventually, temporaryFolder } from '@pulseward/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BootedRoot, whyNoBoot } from '../clean-root/booted-root.ts'
import { CleanRoot } from '../clean-root/clean-root.ts'
import { debianRoot } from '../clean-root/debian-root.ts'
import { archiveOf, whyNoPackages } from '../packages/installation.ts'
import { buildDebianPackage } from './build-package.ts'
import { earlierAnswers, earlierFleet, putEarlierStore, storeFormat, targets } from './earlier-data.ts'
import { InstalledService, lastingPart } from './installed-service.ts'

const repository = join(import.meta.dirname, '../..')
const [before, after] = ['0.1.0', '0.2.0']
const packages = ['systemd', 'systemd-sysv', 'dbus', 'libatomic1']

const debian =
  whyNoPackages === null
    ? debianRoot({ name: 'systemd', packages, hasDocuments: true })
    : { missing: whyNoPackages }
const missing = 'missing' in debian ? debian.missing : whyNoBoot()

const fleet = `
version: 1
defaults: { check: { interval: 1s, timeout: 900ms } }
endpoints: { journal: { type: log, config: {} } }
monitors:
  - { id: itself, name: Itself, check: { type: tcp, config: { host: 127.0.0.1, port: 8060 } } }
  - { id: ping, name: Ping, check: { type: icmp, config: { host: 127.0.0.1 } } }
  - id: closed
    name: Closed
    check: { type: tcp, config: { host: 127.0.0.1, port: 1 } }
    notify: { red: { endpoints: [journal] } }
`
/** So that a test need not wait for a minute. */
const impatient = `[Service]
WatchdogSec=2
TimeoutAbortSec=1
RestartSec=0
`

describeUnless(missing, 'the Debian package', () => {
  let root: CleanRoot
  let machine: BootedRoot
  let service: InstalledService

  beforeAll(async () => {
    using work = temporaryFolder()
    const assembled = work.path('assembled')
    execFileSync(join(repository, 'deploy/assemble.sh'), [archiveOf('pulseward'), 'amd64', assembled])
    root = CleanRoot.unpack('archive' in debian ? debian.archive : '')
    const made = { assembled, architecture: 'amd64', destination: root.path('root') } as const
    buildDebianPackage({ ...made, version: before, isCompressed: false })
    buildDebianPackage({ ...made, version: after })
    machine = await BootedRoot.start(root)
    service = new InstalledService(machine)
  })
  afterAll(async () => {
    await machine?.[Symbol.asyncDispose]()
    root?.[Symbol.dispose]()
  })

  it('installs and starts a service that says when it is ready', () => {
    service.shown(`dpkg --install /root/pulseward_${before}_amd64.deb`)
    expect(service.property('ActiveState')).toBe('active')
    expect(service.property('User')).toBe('pulseward')
    expect(service.run('systemctl is-enabled pulseward')).toBe('enabled\n')
    expect(statSync(root.path('etc/pulseward/token')).mode & 0o777).toBe(0o600)
    expect(statSync(root.path('var/lib/pulseward')).mode & 0o777).toBe(0o700)
    // Among them would be one about a token that others can read.
    expect(service.run('journalctl --unit=pulseward --output=cat')).not.toMatch(/"level":"(warn|error)"/)
  })

  it('leaves commands without the token outside', () => {
    expect(machine.run('sh', '-c', 'pulseward get monitors')).toMatchObject({ status: 3 })
    const read = 'setpriv --reuid=nobody --regid=nogroup --clear-groups cat'
    for (const path of ['/etc/pulseward/token', '/run/credentials/pulseward.service/token'])
      expect(machine.run('sh', '-c', `${read} ${path}`).output).toContain('Permission denied')
  })

  it('has a unit that systemd finds nothing wrong with, and rates as little exposed', () => {
    expect(service.run('systemd-analyze verify pulseward.service')).toBe('')
    const rated = service.run('systemd-analyze security --no-pager --threshold=25 pulseward.service')
    console.log(rated.trim().split('\n').at(-1))
  })

  it('checks, pings and notifies under that unit, after a reload', async () => {
    root.write('etc/pulseward/fleet.yaml', fleet)
    // Stopped, it cannot answer at once; systemd wakes it by its signal. The command has to wait for the new fleet.
    service.run(`kill -STOP ${service.property('MainPID')} && systemctl reload pulseward`)
    expect(service.loggedAtMs('Reloaded pulseward.service')).toBeGreaterThanOrEqual(
      service.loggedAtMs('the fleet was reloaded'),
    )
    await service.statusesBecome({ Itself: 'up', Ping: 'up', Closed: 'incident' })
    await eventually(() => expect(service.account().events.length).toBeGreaterThan(2))
  })

  it('is restarted by the watchdog when it stands still, and only then', async () => {
    root.write('etc/systemd/system/pulseward.service.d/impatient.conf', impatient)
    service.run('systemctl daemon-reload && systemctl restart pulseward')
    const heard = new Set<string>()
    await eventually(() => expect(heard.add(service.property('WatchdogTimestampMonotonic')).size).toBe(5))
    expect(service.property('NRestarts')).toBe('0')
    const stopped = service.property('MainPID')
    service.run(`kill -STOP ${stopped}`)
    await eventually(() => {
      expect(service.property('NRestarts')).toBe('1')
      expect(service.property('ActiveState')).toBe('active')
    })
    expect(service.property('MainPID')).not.toBe(stopped)
    expect(service.run('journalctl --unit=pulseward --output=cat')).toContain('Watchdog timeout (limit 2s)!')
    service.run('rm -r /etc/systemd/system/pulseward.service.d && systemctl daemon-reload')
  })

  it('brings data of 0.1 forward in an upgrade, with nothing lost and nothing sent again', async () => {
    const received = () => service.run('journalctl --unit=targets --output=cat').match(/^POST .*/gm) ?? []
    root.write('root/targets.mjs', targets)
    service.run('systemd-run --quiet --unit=targets /usr/lib/pulseward/bin/node /root/targets.mjs')
    await eventually(() =>
      expect(service.run('journalctl --unit=targets --output=cat')).toContain('listening'),
    )
    const token = service.run('cat /etc/pulseward/token')

    service.shown('systemctl stop pulseward')
    service.run('rm -r /var/lib/pulseward/store')
    putEarlierStore(root)
    service.run('chown -R pulseward: /var/lib/pulseward && chmod 700 /var/lib/pulseward/store')
    root.write('etc/pulseward/fleet.yaml', earlierFleet)
    service.run("echo 'network: { allow_loopback_notify: true }' >>/etc/pulseward/settings.yaml")
    const settings = service.run('cat /etc/pulseward/settings.yaml')
    expect(storeFormat(root)).toBe(4)

    service.shown(`dpkg --install /root/pulseward_${after}_amd64.deb`)
    expect(service.shown('dpkg-query --show pulseward')).toBe(`pulseward\t${after}\n`)
    expect(service.shown('systemctl is-active pulseward')).toBe('active\n')
    await service.statusesBecome({ Itself: 'up', Ping: 'up', Closed: 'incident', Shop: 'up' })
    service.shown('pulseward get incidents --token-file /etc/pulseward/token')
    service.shown('pulseward get history --monitor shop --token-file /etc/pulseward/token')
    const kept = lastingPart(earlierAnswers)
    const now = service.account()
    expect(now.monitors).toEqual(kept.monitors)
    expect(now.incidents).toEqual(kept.incidents)
    // Answers have more fields than they had.
    expect(now.events.slice(0, kept.events.length)).toMatchObject(kept.events)
    for (const [id, actions] of Object.entries(earlierAnswers.actions))
      expect(service.actions(id)).toMatchObject(actions)
    expect(received()).toEqual([])
    expect(service.run('cat /etc/pulseward/token')).toBe(token)
    expect(service.run('cat /etc/pulseward/fleet.yaml')).toBe(earlierFleet)
    expect(service.run('cat /etc/pulseward/settings.yaml')).toBe(settings)
    console.log(service.transcript)

    root.write('root/down', '')
    await eventually(() => expect(received()).toHaveLength(1))
    expect(received()[0]).toMatch(/^POST \/notify .*"monitor_id":"shop".*"color":"red"/)
  })

  it.each([
    ['installed over itself', () => {}],
    [
      'removed and installed again',
      () => {
        service.run('dpkg --remove pulseward')
        expect(existsSync(root.path('usr/lib/pulseward'))).toBe(false)
        expect(machine.run('systemctl', 'is-active', 'pulseward').output).toBe('inactive\n')
        expect(storeFormat(root)).toBeGreaterThan(4)
      },
    ],
  ])(
    'goes on from its data when it is %s',
    (_, first) => {
      const kept = service.account()
      first()
      service.run(`dpkg --install /root/pulseward_${after}_amd64.deb`)
      const now = service.account()
      expect(now).toMatchObject({ monitors: kept.monitors, incidents: kept.incidents })
      expect(now.events.slice(0, kept.events.length)).toEqual(kept.events)
    },
    240_000,
  )

  it('leaves nothing when it is purged', () => {
    service.run('dpkg --purge pulseward')
    expect(machine.run('getent', 'passwd', 'pulseward').status).toBe(2)
    expect(machine.run('getent', 'group', 'pulseward').status).toBe(2)
    const places = '/etc /usr /var /run /tmp'
    expect(service.run(`find ${places} -xdev -iname '*pulseward*' -not -path '/var/log/*'`)).toBe('')
  })
})
