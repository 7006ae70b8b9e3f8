// What a person sees of an ordinary fleet, on a narrow terminal and on a wide one.
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'
import { displayWidth } from '../client/table/display-width.ts'
import { now, playForty } from './forty.fixture.ts'

let peer: ReferencePeer
beforeAll(async () => {
  peer = await ReferencePeer.start()
  playForty(peer)
})
afterAll(() => peer[Symbol.asyncDispose]())

const run = (line: string, columns?: number) =>
  runInProcess([...line.split(' '), '--server', peer.url], {
    now,
    timeZone: 'Europe/Berlin',
    environment: { NO_COLOR: '1' },
    ...(columns !== undefined && { columns }),
  })

const views = [
  'get monitors',
  'get incidents',
  'get history',
  'get actions',
  'get queues',
  'describe monitor billing-api',
  'describe monitor orders-db-replica',
  'describe monitor search-index',
  'describe monitor warehouse-cameras',
  'describe monitor mobile-gateway',
  'describe monitor tls-shop',
  'describe monitor staging',
  'describe monitor print-server',
  'describe monitor intranet',
  'describe incident orders-db-replica',
  'describe incident warehouse-api',
  'describe incident 019c9a00-0a0a-7b0b-8c0c-0d0d0e0e0f0f',
  'describe action 019cb5a9-0000-7000-8000-00000000a001',
  'describe action 019cb5a9-0000-7000-8000-00000000a002',
  'describe action 019cb5a9-0000-7000-8000-00000000a003',
  'describe endpoint pager',
  'describe group night-shift',
]

describe('a fleet of forty', () => {
  it.each([80, 120])('is shown in %i columns', async (columns) => {
    let shown = ''
    for (const line of views) {
      const { code, stdout, stderr } = await run(line, columns)
      expect([line, code]).toEqual([line, 0])
      for (const text of stdout.split('\n')) expect(displayWidth(text), text).toBeLessThanOrEqual(columns)
      shown += `$ pulseward ${line}\n${stdout}${stderr}\n`
    }
    await expect(shown).toMatchFileSnapshot(`golden/forty.${columns}.txt`)
  })

  it('keeps the error of every incident on a narrow terminal, with an ellipsis', async () => {
    const { stdout } = await run('get incidents', 80)
    expect(stdout.match(/the connection to orders|the answer has status|no answer within/g)).toHaveLength(3)
    expect(stdout.match(/…/g)!.length).toBeGreaterThanOrEqual(3)
  })

  it('never shows a number for a monitor, except in its own column with -o wide', async () => {
    const { stdout } = await run('get monitors -o wide')
    const [title = '', ...rows] = stdout.trimEnd().split('\n')
    expect(title).toMatch(/^ID .* NUMBER$/)
    expect(rows).toHaveLength(40)
    for (const row of rows) expect(row).not.toMatch(/^\d/)
    expect((await run('get monitors')).stdout).not.toContain('NUMBER')
  })

  it('names every monitor so that describe and get find it again', async () => {
    const { stdout } = await run('get monitors -o json')
    const { monitors } = JSON.parse(stdout) as {
      monitors: { id: number; name: string; monitor_id: string }[]
    }
    for (const { id, monitor_id: monitorId } of monitors.filter(
      (one) => !one.monitor_id.startsWith('name:'),
    )) {
      const byId = await run(`describe monitor ${monitorId}`)
      expect([monitorId, byId.code]).toEqual([monitorId, 0])
      expect(await run(`describe monitor ${id}`)).toEqual(byId)
    }
  })
})
