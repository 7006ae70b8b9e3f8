// checks/tcp/tcp.ts: is something listening, and does it say what it should? Connecting is enough for a
// success unless a reply is expected. Reads at most 64 KiB, whatever the peer sends. Quotes nothing from a
// peer that was sent something: that may hold a secret, and a peer may echo it.
import type { Socket } from 'node:net'
import { describeBrokenConnection } from '../../platform/network/connect-errors.ts'
import { discard } from '../../platform/network/discard.ts'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { closed, Duration, Host, type Infer, OpenOrSecret, oneOf, Port } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { quote } from '../../platform/wording.ts'
import {
  assertion,
  CheckFailure,
  type CheckRun,
  deadlinePassed,
  defineCheck,
  successWithin,
} from '../driver.ts'

const MAX_REPLY_BYTES = 64 * 1024
const QUOTED_BYTES = 256

const config = closed({
  host: Host,
  port: Port,
  family: Type.Optional(oneOf(['any', 'ipv4', 'ipv6'], 'The IP family to connect over.', { default: 'any' })),
  send: Type.Optional(
    Type.Unsafe<string>({ ...OpenOrSecret, description: 'What to send once connected; nothing by default.' }),
  ),
  expect: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_096,
      description:
        'Text that must occur in the first 64 KiB of the reply; by default no reply is waited for.',
    }),
  ),
  max_latency: Type.Optional(
    Type.Unsafe<string>({ ...Duration, description: 'A success that takes longer carries a warning.' }),
  ),
})

type TcpConfig = Infer<typeof config>

export const tcp = defineCheck({
  summary: 'Opens a TCP connection, optionally sends something and waits for a reply.',
  config,
  target: ({ host, port }) => formatEndpoint(host, port),
  async check(config, run) {
    const socket = await run.network.connect(config, run)
    run.mark('connect')
    try {
      if (config.send !== undefined || config.expect !== undefined) await converse(socket, config, run)
      return successWithin(run.elapsedMs(), config.max_latency)
    } finally {
      discard(socket)
    }
  },
})

/** Sends, then waits for the expected text, the end, an error or the deadline, whichever comes first. */
function converse(socket: Socket, config: TcpConfig, run: CheckRun): Promise<void> {
  return new Promise((resolve, reject) => {
    const { send, expect } = config
    const peer = formatEndpoint(config.host, config.port)
    const fail = (reason: string): void => reject(new CheckFailure(reason))
    const reply = expect === undefined ? null : new ReplySearch(expect)
    const judge = (isThere: boolean): void => {
      if (reply === null || expect === undefined) return
      const said = send === undefined ? quote(reply.beginning) : isThere ? 'found' : 'not found'
      run.observe?.(assertion('reply contains', said, quote(expect), isThere))
    }
    const stop = (): void => reject(deadlinePassed(`no ${waitedFor(reply)} from ${peer}`))
    run.onStop = stop
    socket.on('error', (error) => reject(describeBrokenConnection(error, peer)))
    socket.on('end', () => {
      if (reply === null) return
      judge(false)
      fail(`${peer} closed the connection ${seen(reply, send)}`)
    })
    socket.on('data', (chunk: Buffer) => {
      if (reply === null) return
      const isThere = reply.found(chunk)
      if (!isThere && reply.bytes < MAX_REPLY_BYTES) return
      judge(isThere)
      if (isThere) resolve()
      else fail(`the first 64 KiB of ${peer} are ${seen(reply, send)}`)
    })
    if (send === undefined) return
    socket.write(send, (error) => {
      // Without an expected reply, the check ends when the system has taken the bytes to send.
      if (!error && reply === null) resolve()
    })
  })
}

/** Finds a text in a stream without keeping more of the stream than the text's length. */
class ReplySearch {
  readonly text: string
  readonly #wanted: Buffer
  #tail: Buffer = Buffer.alloc(0)
  #start: Buffer = Buffer.alloc(0)
  bytes = 0

  constructor(text: string) {
    this.text = text
    this.#wanted = Buffer.from(text, 'utf8')
  }

  get beginning(): string {
    return this.#start.toString('utf8')
  }

  found(chunk: Buffer): boolean {
    const allowed = chunk.subarray(0, MAX_REPLY_BYTES - this.bytes)
    this.bytes += allowed.length
    if (this.#start.length < QUOTED_BYTES) {
      this.#start = Buffer.concat([this.#start, allowed]).subarray(0, QUOTED_BYTES)
    }
    const window = Buffer.concat([this.#tail, allowed])
    if (window.includes(this.#wanted)) return true
    this.#tail = window.subarray(Math.max(0, window.length - this.#wanted.length + 1))
    return false
  }
}

function waitedFor(reply: ReplySearch | null): string {
  if (reply === null) return 'room to send'
  return reply.bytes === 0 ? 'reply' : `reply with ${quote(reply.text)}`
}

function seen(reply: ReplySearch, send: string | undefined): string {
  if (reply.bytes === 0) return 'without a word'
  const said = send === undefined ? ` after ${quote(reply.beginning)}` : ''
  return `without ${quote(reply.text)}${said}`
}
