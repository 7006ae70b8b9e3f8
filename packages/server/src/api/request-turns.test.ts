// How many requests one turn of the event loop answers, counted over a real listener and real sockets.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, Socket } from 'node:net'
import { eventually } from '@pulseward/testing'
import { getRequest, listeningApi } from '@pulseward/testing/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mostWaiting, RequestTurns, requestsPerTurn } from './request-turns.ts'
import { json, route } from './route.ts'

const ask = (from = '') => getRequest('/api/v1/config', `User-Agent: ${from}\r\n`)

/** A route that notes in which turn of the event loop it answered whom. */
async function noting() {
  const answered: { turn: number; from: string }[] = []
  let turn = 0
  let next = setImmediate(function count() {
    turn++
    next = setImmediate(count)
  })
  onTestFinished(() => clearImmediate(next))
  const config = route('GetConfig', ({ headers }) => {
    answered.push({ turn, from: headers['user-agent'] ?? '' })
    return json({})
  })
  const api = await listeningApi({ routes: [config] })
  onTestFinished(() => api[Symbol.asyncDispose]())
  const { port } = api.address
  const open = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).resume()
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const mostInOneTurn = () =>
    Math.max(...Array.from(Map.groupBy(answered, (one) => one.turn).values(), (together) => together.length))
  return { port, answered, open, mostInOneTurn }
}

/** As many as are answered in what is left of one turn and in the next. */
const few = 2 * requestsPerTurn

describe('requests that arrive together', () => {
  it('do not wait for the others of their client in a lane of their own', async () => {
    const turns = new RequestTurns(createServer())
    const answered: string[] = []
    for (let count = 0; count < 100; count++) turns.take(new Socket(), () => void answered.push('guess'))
    turns.take(new Socket(), () => void answered.push('signal'), { name: 'signals', perTurn: 64 })
    await eventually(() => expect(answered).toHaveLength(101))
    expect(answered.indexOf('signal')).toBeLessThan(few)
  })

  it('are answered by the dozen in a lane of small ones', () => {
    const turns = new RequestTurns(createServer())
    const lane = { name: 'signals', perTurn: 64 }
    let answered = 0
    for (let count = 0; count < 100; count++) turns.take(new Socket(), () => void answered++, lane)
    expect(answered).toBe(64)
  })

  it('are answered a few per turn, on many connections', async () => {
    const { answered, open, mostInOneTurn } = await noting()
    const sockets = []
    for (let count = 0; count < 100; count++) sockets.push(await open())
    for (const socket of sockets) socket.write(ask())
    await eventually(() => expect(answered).toHaveLength(100))
    expect(mostInOneTurn()).toBeLessThanOrEqual(few)
  })

  it('are answered a few per turn, on one connection', async () => {
    const { answered, open, mostInOneTurn } = await noting()
    const socket = await open()
    socket.write(ask().repeat(200))
    await eventually(() => expect(answered).toHaveLength(200))
    expect(mostInOneTurn()).toBeLessThanOrEqual(few)
  })

  it('are all answered, also where their clients say no more', async () => {
    const { open } = await noting()
    const sockets = []
    for (let count = 0; count < 50; count++) sockets.push(await open())
    const answers = sockets.map(async (socket) => {
      socket.end(ask())
      const [chunk] = await once(socket, 'data')
      return /^HTTP\/1\.1 200/.test(String(chunk))
    })
    expect(await Promise.all(answers)).toEqual(Array(50).fill(true))
  })

  it('do not keep a request of another address waiting until they are answered', async () => {
    const { answered, open } = await noting()
    const [many, one] = [await open(), await open('127.0.0.2')]
    many.write(ask('many').repeat(200))
    one.write(ask('one'))
    await eventually(() => expect(answered).toHaveLength(201))
    expect(answered.findIndex(({ from }) => from === 'one')).toBeLessThan(100)
  })

  it('are not answered when their client has left', async () => {
    const turns = new RequestTurns(createServer())
    const [gone, here] = [new Socket(), new Socket()]
    const answered: string[] = []
    for (let count = 0; count < requestsPerTurn; count++) turns.take(here, () => {})
    turns.take(gone, () => answered.push('gone'))
    turns.take(here, () => answered.push('here'))
    gone.destroy()
    await eventually(() => expect(answered).toEqual(['here']))
  })

  it('are cut off with their connection where too many wait and it has others that do', async () => {
    const turns = new RequestTurns(createServer())
    const [many, one] = [new Socket(), new Socket()]
    let answered = 0
    const count = () => void answered++
    for (let request = 0; request < requestsPerTurn + mostWaiting; request++) turns.take(many, count)
    expect(many.destroyed).toBe(false)
    turns.take(one, count)
    turns.take(many, count)
    expect([many.destroyed, one.destroyed]).toEqual([true, false])
    await eventually(() => expect(answered).toBe(requestsPerTurn + 1))
  })
})

it('answers one request in a turn in which a connection arrived, so that the next is accepted soon', async () => {
  const server = createServer()
  const turns = new RequestTurns(server)
  server.emit('connection', new Socket())
  let answered = 0
  for (let request = 0; request < requestsPerTurn; request++) turns.take(new Socket(), () => void answered++)
  expect(answered).toBe(1)
  await eventually(() => expect(answered).toBe(requestsPerTurn))
})
