// A probe as a process, against the service as a process, over a real socket.
import { chmodSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, type RunningService, runCommand } from '@pulseward/testing/process'
import { TcpTarget } from '@pulseward/testing/targets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let folder: TemporaryFolder
let target: TcpTarget
let service: RunningService

beforeAll(async () => {
  folder = temporaryFolder()
  target = await TcpTarget.start({ behaviour: { kind: 'banner', text: 'hello\r\n' } })
  const check = `type: tcp, interval: 1s, config: { host: 127.0.0.1, port: ${target.port}, expect: hello }`
  const fleet = folder.write(
    'fleet.yaml',
    `version: 1
monitors:
  - { id: edge, name: Edge, check: { ${check}, locations: [fra] } }
  - { id: far, name: Far, check: { ${check}, locations: [iad] } }
`,
  )
  service = await RunningCommand.serve([
    '--edition',
    'next',
    '--config',
    fleet,
    '--data',
    folder.path('data'),
  ])
  const words = [
    'token',
    'create',
    'fra-1',
    '--role',
    'probe',
    '--location',
    'fra',
    '--data',
    folder.path('data'),
  ]
  const { stdout } = await runCommand(words)
  chmodSync(folder.write('fra.token', stdout), 0o600)
})
afterAll(async () => {
  service?.signal('SIGKILL')
  await service?.ended
  await target?.[Symbol.asyncDispose]()
  folder?.[Symbol.dispose]()
})

const probeAt = (location: string) =>
  new RunningCommand([
    'probe',
    '--server',
    service.url,
    '--token-file',
    folder.path('fra.token'),
    '--location',
    location,
    '--name',
    'fra-1',
    '--log-format',
    'json',
  ])

/** A monitor as v1 shows it. */
interface Seen {
  readonly id: number
  readonly monitor_id: string
  readonly status: string
  readonly last_error: string | null
}

async function seen(id: string): Promise<Seen> {
  const read = async (path: string) => (await fetch(`${service.url}/api/v1/${path}`)).json()
  const { monitors } = (await read('monitors')) as { readonly monitors: readonly Seen[] }
  return (await read(`monitors/${monitors.find((one) => one.monitor_id === id)?.id}`)) as Seen
}
const becomes = (id: string, expected: object) =>
  expect.poll(() => seen(id), { timeout: 60_000 }).toMatchObject(expected)

describe('pulseward probe', () => {
  it('checks the monitors of its location, and leaves them unknown when it is killed', async () => {
    await becomes('edge', { status: 'unknown', last_error: 'no result from fra: no probe is connected' })
    await using probe = probeAt('fra')
    await probe.until('stderr', /the probe is connected/)
    await becomes('edge', { status: 'up' })
    await becomes('far', { status: 'unknown', last_error: 'no result from iad: no probe is connected' })
    probe.signal('SIGKILL')
    await probe.ended
    await becomes('edge', { status: 'unknown' })
  })

  it('drains at a signal, and ends with 0', async () => {
    await using probe = probeAt('fra')
    await probe.until('stderr', /the probe is connected/)
    await becomes('edge', { status: 'up' })
    probe.signal('SIGTERM')
    expect(await probe.ended).toMatchObject({ code: 0 })
  })

  it('is refused at another location, with a sentence on both sides', async () => {
    await using probe = probeAt('iad')
    const [sentence = ''] = await probe.until('stderr', /The principal fra-1 may serve fra, and not iad[^"]*/)
    expect(sentence).toContain('make a token with --location iad')
    await service.until('stderr', /a probe was refused: The principal fra-1 may serve fra, and not iad/)
  })
})
