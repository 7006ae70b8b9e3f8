// A target that refuses keeps its port: another process that was given it would answer in its place.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { TcpTarget } from './tcp-target.ts'

const connectionTable = '/proc/net/tcp'

const errorOf = async (emitter: NodeJS.EventEmitter): Promise<unknown> => (await once(emitter, 'error'))[0]

it('refuses connections at a port that it holds', async ({ skip }) => {
  await using target = await TcpTarget.start()
  const { host, port } = target
  await target.refuses()
  expect(await errorOf(connect({ host, port }))).toMatchObject({ code: 'ECONNREFUSED' })
  if (!existsSync(connectionTable)) return skip('there is no table of connections here')
  // A port with an open connection is never given to a socket that asks for any port.
  const near = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  expect(readFileSync(connectionTable, 'utf8')).toMatch(new RegExp(`: ${near} [0-9A-F:]+ 01 `))
})

it('accepts again at the same port', async () => {
  await using target = await TcpTarget.start()
  const { host, port } = target
  await target.refuses()
  await target.accepts()
  expect(target.port).toBe(port)
  const socket = connect({ host, port })
  await once(socket, 'connect')
  socket.destroy()
})
