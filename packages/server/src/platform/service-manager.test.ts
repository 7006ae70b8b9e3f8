// What systemd hears from the service: over a real socket, and from a real service.
import { describeUnless, eventually, temporaryFolder } from '@pulseward/testing'
import { RunningCommand } from '@pulseward/testing/process'
import { describe, expect, it } from 'vitest'
import { ServiceManager } from './service-manager.ts'

const notLinux = process.platform === 'linux' ? null : 'only Linux has systemd'
const ignore = () => {}

/** The states that were sent; while it refuses, nothing arrives. */
function recorder() {
  const sent: string[] = []
  const socket = { refuses: false }
  const send = (text: string) => {
    if (!socket.refuses) sent.push(text)
    return !socket.refuses
  }
  return { sent, socket, send }
}

describe('the watchdog', () => {
  it('is told at half its time, and only when the controller goes on', () => {
    const { sent, send } = recorder()
    const manager = new ServiceManager(send, 10_000)
    for (let second = 0; second <= 10; second++) manager.lives(second * 1_000)
    expect(sent).toEqual(['WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1'])
  })

  it('is told again at once when a message could not be sent', () => {
    const { sent, socket, send } = recorder()
    const manager = new ServiceManager(send, 10_000)
    socket.refuses = true
    manager.lives(0)
    socket.refuses = false
    manager.lives(1_000)
    expect(sent).toEqual(['WATCHDOG=1'])
  })

  it('is told nothing where the unit has none', () => {
    const { sent, send } = recorder()
    new ServiceManager(send, null).lives(0)
    expect(sent).toEqual([])
  })
})

describe('a state', () => {
  it('is sent again while systemd cannot take it, and in its turn', () => {
    const { sent, socket, send } = recorder()
    const manager = new ServiceManager(send, null)
    socket.refuses = true
    manager.ready()
    manager.stopping()
    socket.refuses = false
    manager.lives(0)
    manager.lives(1_000)
    expect(sent).toEqual(['READY=1', 'STOPPING=1'])
  })

  it('is ready again when the last of the reloads that overlap has ended', async () => {
    const { sent, send } = recorder()
    const manager = new ServiceManager(send, null)
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const both = [first, second].map(({ promise }) => manager.whileReloading(() => promise))
    second.resolve()
    await both[1]
    expect(sent.filter((state) => state === 'READY=1')).toEqual([])
    first.resolve()
    await both[0]
    const times = sent
      .slice(0, 2)
      .map((state) => Number(/^RELOADING=1\nMONOTONIC_USEC=(\d+)$/.exec(state)![1]))
    expect(times[1]).toBeGreaterThanOrEqual(times[0]!)
    expect(sent.slice(2)).toEqual(['READY=1'])
  })

  it('is ready again also after a reload that fails', async () => {
    const { sent, send } = recorder()
    const failing = new ServiceManager(send, null).whileReloading(() => Promise.reject(new Error('broken')))
    await expect(failing).rejects.toThrow('broken')
    expect(sent).toEqual([expect.stringMatching(/^RELOADING=1\nMONOTONIC_USEC=\d+$/), 'READY=1'])
  })
})

it('says nothing without NOTIFY_SOCKET, and warns where it cannot be reached', async () => {
  expect(await ServiceManager.connect({ WATCHDOG_USEC: '1000000' }, ignore)).toBeNull()
  const warnings: string[] = []
  expect(
    await ServiceManager.connect({ NOTIFY_SOCKET: 'not-a-path' }, (words) => warnings.push(words)),
  ).toBeNull()
  expect(warnings).toEqual([expect.stringMatching(/^systemd waits to be notified at not-a-path, which/)])
})

describeUnless(notLinux, 'over a real socket', () => {
  const listener = async (path: string) => {
    // Loads node:ffi, which other systems may lack.
    const { DatagramListener } = await import('./datagram-listener.fixture.ts')
    return new DatagramListener(path)
  }

  it.each(['path', 'abstract name'])('reaches systemd by a %s', async (kind) => {
    using folder = temporaryFolder()
    const path = kind === 'path' ? folder.path('notify') : `@${folder.path('notify')}`
    using systemd = await listener(path)
    const manager = await ServiceManager.connect({ NOTIFY_SOCKET: path }, ignore)
    manager!.ready()
    expect(systemd.received()).toEqual(['READY=1'])
  })

  it('leaves a watchdog alone that is for another process', async () => {
    using folder = temporaryFolder()
    using systemd = await listener(folder.path('notify'))
    const environment = { NOTIFY_SOCKET: folder.path('notify'), WATCHDOG_USEC: '1000000' }
    const connect = (pid: number) =>
      ServiceManager.connect({ ...environment, WATCHDOG_PID: String(pid) }, ignore)
    const other = await connect(process.ppid)
    other!.lives(0)
    expect(systemd.received()).toEqual([])
    const ours = await connect(process.pid)
    ours!.lives(0)
    expect(systemd.received()).toEqual(['WATCHDOG=1'])
  })

  it('a service is ready, lives, reloads and stops', async () => {
    const monitor = (port: number) =>
      JSON.stringify({
        monitors: [{ name: 'A', check: { type: 'tcp', config: { host: '127.0.0.1', port } } }],
      })
    using folder = temporaryFolder({ 'fleet.json': monitor(1) })
    using systemd = await listener(folder.path('notify'))
    const environment = { NOTIFY_SOCKET: folder.path('notify'), WATCHDOG_USEC: '2000000' }
    const words = ['--config', folder.path('fleet.json')]
    await using service = await RunningCommand.serve(words, { environment })
    const states = () => systemd.received().filter((state) => state !== 'WATCHDOG=1')
    const lives = () => systemd.received().length - states().length
    await eventually(() => expect(states()).toEqual(['READY=1']))
    await eventually(() => expect(lives()).toBeGreaterThan(2))
    folder.write('fleet.json', monitor(2))
    service.signal('SIGHUP')
    const reloading = expect.stringMatching(/^RELOADING=1\nMONOTONIC_USEC=\d+$/)
    await eventually(() => expect(states()).toEqual(['READY=1', reloading, 'READY=1']))
    service.signal('SIGTERM')
    expect((await service.ended).code).toBe(0)
    expect(states().at(-1)).toBe('STOPPING=1')
  })
})
