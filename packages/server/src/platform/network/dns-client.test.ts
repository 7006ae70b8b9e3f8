import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { promptlyMs } from '@pulseward/testing'
import { DnsTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { DnsClient } from './dns-client.ts'
import { type DnsMessage, recordTypes } from './dns-message.ts'
import type { DnsServer } from './dns-server.ts'
import type { Abandon } from './network.ts'

const zone = { 'shop.test': [{ type: 'A', value: '192.0.2.1' }] } as const

/** The question itself as an answer without records. */
function answerTo(question: Buffer, rcode: number): Buffer {
  const answer = Buffer.from(question)
  answer.writeUInt16BE(0x8180 | rcode, 2)
  return answer
}

function serverOf(target: DnsTarget): DnsServer {
  return { address: '127.0.0.1', port: target.port }
}

describe('the DNS client', () => {
  it('asks over TCP when the answer was truncated', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'truncate' })
    using client = new DnsClient()
    const message = await client.query(serverOf(target), 'shop.test', recordTypes.A, 2_000)
    expect(message.answers[0]?.data).toBe('192.0.2.1')
    expect(target.tcpQuestions).toBe(1)
  })

  it('answers many questions at once, each with its own answer', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `host${index}.test`)
    await using target = await DnsTarget.start({
      zone: Object.fromEntries(names.map((name, index) => [name, [{ type: 'A', value: `10.0.0.${index}` }]])),
    })
    using client = new DnsClient()
    const answers = await Promise.all(
      names.map((name) => client.query(serverOf(target), name, recordTypes.A, 5_000)),
    )
    expect(answers.map((message) => message.answers[0]?.data)).toEqual(
      names.map((_, index) => `10.0.0.${index}`),
    )
    expect(client.inFlight).toBe(0)
  })

  it('asks from ports that change', async () => {
    await using target = await DnsTarget.start({ zone })
    using client = new DnsClient()
    const ask = () => client.query(serverOf(target), 'shop.test', recordTypes.A, 5_000)
    for (let asked = 0; asked < 100; asked++) await ask()
    expect(target.askingPorts.size).toBeGreaterThan(1)
    expect(target.askingPorts.size).toBe(client.openSockets)
    for (let asked = 100; asked < 3_000; asked++) await ask()
    // Each of them has been replaced at least once, and none is left open.
    expect(target.askingPorts.size).toBeGreaterThanOrEqual(5)
    expect(client.openSockets).toBeLessThan(target.askingPorts.size)
  })

  it('takes an answer only at the port that asked', async () => {
    await using owned = new AsyncDisposableStack()
    const server = owned.adopt(createSocket('udp4').bind(0, '127.0.0.1'), (open) => void open.close())
    await once(server, 'listening')
    using client = new DnsClient()
    const asked = { address: '127.0.0.1', port: server.address().port }
    const questions = new Map<number, Buffer>()
    const answers: Promise<DnsMessage>[] = []
    while (questions.size < 2) {
      answers.push(client.query(asked, 'shop.test', recordTypes.A, 60_000))
      const [question, { port }] = await once(server, 'message')
      questions.set(port, question)
    }
    for (const answer of answers) answer.catch(() => {})
    const [one, other] = [...questions.keys()] as [number, number]
    const inFlight = client.inFlight
    // Two forged answers, each to the port of the other question, and then one right one.
    server.send(answerTo(questions.get(one)!, 2), other)
    server.send(answerTo(questions.get(other)!, 2), one)
    server.send(answerTo(questions.get(one)!, 5), one)
    expect(await Promise.race(answers)).toMatchObject({ rcode: 'REFUSED' })
    expect(client.inFlight).toBe(inFlight - 1)
  })

  it('opens a bounded number of sockets when nothing is answered', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'nothing' })
    const client = new DnsClient()
    const asked = Array.from({ length: 30_000 }, () =>
      client.query(serverOf(target), 'shop.test', recordTypes.A, 60_000).catch(() => null),
    )
    expect(client.openSockets).toBeLessThanOrEqual(66)
    expect(client.openSockets).toBeGreaterThan(8)
    client[Symbol.dispose]()
    await Promise.all(asked)
  })

  it.each(['wrong-id', 'wrong-question', 'nothing', 'garbage'] as const)(
    'gives up in time when the server sends %s',
    async (behaviour) => {
      await using target = await DnsTarget.start({ zone, behaviour })
      using client = new DnsClient()
      const began = performance.now()
      await expect(client.query(serverOf(target), 'shop.test', recordTypes.A, 200)).rejects.toMatchObject({
        code: 'TIMEOUT',
        evidence: 'local',
      })
      expect(performance.now() - began).toBeLessThan(promptlyMs)
      expect(client.inFlight).toBe(0)
    },
  )

  it('says so when the answer cannot be read', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'malformed' })
    using client = new DnsClient()
    await expect(client.query(serverOf(target), 'shop.test', recordTypes.A, 2_000)).rejects.toMatchObject({
      code: 'MALFORMED',
      evidence: 'target',
    })
  })

  it('drops an answer that comes from somebody else', async () => {
    using client = new DnsClient()
    const stranger = createSocket('udp4')
    // The stranger sees the question by standing in for the server, and answers from its own port.
    const asked = createSocket('udp4')
    asked.bind(0, '127.0.0.1')
    await once(asked, 'listening')
    asked.on('message', (question, from) => {
      const answer = Buffer.from(question)
      answer[2] = 0x81
      answer[3] = 0x83
      stranger.send(answer, from.port, from.address)
    })
    const server = { address: '127.0.0.1', port: asked.address().port }
    await expect(client.query(server, 'shop.test', recordTypes.A, 200)).rejects.toMatchObject({
      code: 'TIMEOUT',
    })
    stranger.close()
    asked.close()
  })

  it('repeats a question whose datagram was lost', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'nothing' })
    using client = new DnsClient()
    const answer = client.query(serverOf(target), 'shop.test', recordTypes.A, 3_000)
    await expect.poll(() => target.questions.length).toBe(1)
    target.behaviour = 'answer'
    expect((await answer).rcode).toBe('NOERROR')
    expect(target.questions).toHaveLength(2)
  })

  it('lets go at once when it is abandoned', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'nothing' })
    using client = new DnsClient()
    const abandon: Abandon = {}
    const answer = client.query(
      serverOf(target),
      'shop.test',
      recordTypes.A,
      Number.POSITIVE_INFINITY,
      abandon,
    )
    abandon.onStop?.()
    await expect(answer).rejects.toMatchObject({ code: 'ABORTED' })
    expect(abandon.onStop).toBeUndefined()
    expect(client.inFlight).toBe(0)
  })

  it('ends every question and its sockets when it is closed', async () => {
    const datagramSockets = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length
    await expect.poll(datagramSockets).toBe(0)
    await using target = await DnsTarget.start({ zone, behaviour: 'nothing' })
    const client = new DnsClient()
    const answer = client.query(serverOf(target), 'shop.test', recordTypes.A, 60_000)
    await expect.poll(() => target.questions.length).toBe(1)
    expect(datagramSockets()).toBe(1 + client.openSockets)
    client[Symbol.dispose]()
    await expect(answer).rejects.toMatchObject({ code: 'CLOSED' })
    await expect.poll(datagramSockets).toBe(1)
    await expect(client.query(serverOf(target), 'shop.test', 1, 100)).rejects.toMatchObject({
      code: 'CLOSED',
    })
  })
})
