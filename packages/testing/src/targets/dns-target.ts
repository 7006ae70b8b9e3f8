// targets/dns-target.ts: a DNS server on loopback, UDP and TCP on one port. A test may change its zone at any
// time and can make it misbehave. Owned: `await using dns = await DnsTarget.start({ zone })`.
import { createSocket, type Socket as Datagrams, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { typeNumbers, wireName, wireRecord, type Zone, type ZoneRecord } from './dns-zone.ts'

export type DnsBehaviour =
  | 'answer'
  | 'servfail'
  | 'refused'
  | 'truncate'
  | 'garbage'
  | 'malformed'
  | 'wrong-id'
  | 'wrong-question'
  | 'nothing'
  | { readonly slowMs: number }

interface Query {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly question: Buffer
}

const FLAGS_ANSWER = 0x8180
const FLAG_TRUNCATED = 0x0200
const RCODE = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const

export class DnsTarget implements AsyncDisposable {
  zone: Zone
  behaviour: DnsBehaviour = 'answer'
  readonly #datagrams: Datagrams
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #questions: string[] = []
  /** The source ports of UDP questions. */
  readonly askingPorts = new Set<number>()
  #tcpQuestions = 0
  #port = 0

  private constructor(zone: Zone) {
    this.zone = zone
    this.#datagrams = createSocket('udp4')
    this.#datagrams.on('message', (bytes, from) => this.#onDatagram(bytes, from))
    this.#server = createServer((socket) => this.#onConnection(socket))
  }

  static async start(options: { zone?: Zone; behaviour?: DnsBehaviour } = {}): Promise<DnsTarget> {
    const target = new DnsTarget(options.zone ?? {})
    target.behaviour = options.behaviour ?? 'answer'
    await target.#listen()
    return target
  }

  /** On one port over both protocols. One that is free for TCP may be taken for UDP. */
  async #listen(): Promise<void> {
    for (;;) {
      this.#server.listen(0, '127.0.0.1')
      await once(this.#server, 'listening')
      this.#port = (this.#server.address() as AddressInfo).port
      this.#datagrams.bind(this.#port, '127.0.0.1')
      try {
        await once(this.#datagrams, 'listening')
        return
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
        this.#server.close()
        await once(this.#server, 'close')
      }
    }
  }

  get port(): number {
    return this.#port
  }

  /** The address in the form of a configuration. */
  get address(): string {
    return `127.0.0.1:${this.#port}`
  }

  /** Every question so far, such as "A shop.test". */
  get questions(): readonly string[] {
    return this.#questions
  }

  get tcpQuestions(): number {
    return this.#tcpQuestions
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    for (const socket of this.#sockets) socket.destroy()
    this.#datagrams.close()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #onDatagram(bytes: Buffer, from: RemoteInfo): void {
    const query = readQuery(bytes)
    this.#questions.push(describe(query))
    this.askingPorts.add(from.port)
    const send = (answer: Buffer): void => this.#datagrams.send(answer, from.port, from.address)
    const behaviour = this.behaviour
    if (typeof behaviour === 'object') {
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        send(this.#answer(query))
      }, behaviour.slowMs)
      this.#timers.add(timer)
      return
    }
    const datagram = this.#datagram(query, behaviour)
    if (datagram !== null) send(datagram)
  }

  #datagram(query: Query, behaviour: Exclude<DnsBehaviour, object>): Buffer | null {
    switch (behaviour) {
      case 'answer':
        return this.#answer(query)
      case 'servfail':
        return message(query, RCODE.SERVFAIL, [], [])
      case 'refused':
        return message(query, RCODE.REFUSED, [], [])
      case 'truncate':
        return message(query, FLAG_TRUNCATED, [], [])
      case 'garbage':
        return Buffer.from('this is not a DNS message')
      case 'malformed':
        // The right id, then a name that points at itself.
        return Buffer.concat([message(query, 0, [], []).subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])])
      case 'wrong-id':
        return this.#answer({ ...query, id: query.id ^ 0x5555 })
      case 'wrong-question':
        return this.#answer({
          ...query,
          question: Buffer.concat([wireName('other.test'), Buffer.from([0, 1, 0, 1])]),
        })
      case 'nothing':
        return null
    }
  }

  #onConnection(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    let received = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
      this.#tcpQuestions++
      const answer = this.#answer(readQuery(received.subarray(2)))
      const prefix = Buffer.alloc(2)
      prefix.writeUInt16BE(answer.length)
      // In two pieces: a reader must not rely on one event per message.
      socket.write(Buffer.concat([prefix, answer.subarray(0, 5)]))
      setImmediate(() => socket.destroyed || socket.write(answer.subarray(5)))
    })
  }

  #answer(query: Query): Buffer {
    const answers: Buffer[] = []
    let name = query.name
    let owner: Buffer = Buffer.from([0xc0, 12])
    let known = this.zone[name]
    for (let hops = 0; hops < 32 && known !== undefined; hops++) {
      const matching = known.filter((record) => typeNumbers[record.type] === query.type)
      for (const record of matching) answers.push(wireRecord(owner, record))
      const alias = known.find((record): record is ZoneRecord & { value: string } => record.type === 'CNAME')
      if (matching.length > 0 || alias === undefined) break
      answers.push(wireRecord(owner, alias))
      name = alias.value.toLowerCase().replace(/\.$/, '')
      owner = wireName(name)
      known = this.zone[name]
    }
    const negative = (this.zone[''] ?? []).map((record) => wireRecord(wireName('test'), record))
    return message(
      query,
      known === undefined ? RCODE.NXDOMAIN : RCODE.NOERROR,
      answers,
      answers.length === 0 ? negative : [],
    )
  }
}

function message(query: Query, flags: number, answers: Buffer[], authority: Buffer[]): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt16BE(query.id, 0)
  header.writeUInt16BE(FLAGS_ANSWER | flags, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  header.writeUInt16BE(authority.length, 8)
  return Buffer.concat([header, query.question, ...answers, ...authority])
}

function readQuery(bytes: Buffer): Query {
  const labels: string[] = []
  let offset = 12
  for (let length = bytes[offset]!; length > 0; length = bytes[offset]!) {
    labels.push(bytes.toString('latin1', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return {
    id: bytes.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: bytes.readUInt16BE(offset + 1),
    question: bytes.subarray(12, offset + 5),
  }
}

function describe(query: Query): string {
  const type = Object.entries(typeNumbers).find(([, value]) => value === query.type)?.[0]
  return `${type ?? query.type} ${query.name}`
}
