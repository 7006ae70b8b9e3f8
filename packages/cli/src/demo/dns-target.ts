// demo/dns-target.ts: answers the dns monitors of a demo. The number in the first label identifies the
// monitor, and every name has one A record. Anything that is not a question is dropped.
import { createSocket, type Socket } from 'node:dgram'
import { addressOf } from './fleet.ts'
import type { Answer, Look } from './life.ts'

const headerBytes = 12
const isAnswer = 0x8180
const typeA = 1
const responseCode = { good: 0, serverFailure: 2, noSuchName: 3, refused: 5 }

export function createDnsTarget(look: Look): Socket {
  const socket = createSocket('udp4')
  let open = true
  socket.on('close', () => {
    open = false
  })
  socket.on('message', (bytes, peer) => {
    const question = readQuestion(bytes)
    if (question === null) return
    const monitor = /-(\d{1,9})\./.exec(question.name)?.[1]
    const answer = monitor === undefined ? null : look(Number(monitor))
    if (answer?.condition === 'silent') return
    const reply = respond(question, Number(monitor), answer)
    setTimeout(() => open && socket.send(reply, peer.port, peer.address), answer?.delayMs ?? 0)
  })
  return socket
}

interface Question {
  readonly id: number
  readonly name: string
  readonly type: number
  /** As received: it is repeated in the answer. */
  readonly section: Buffer
}

/** Null if the bytes are not a message with a question. */
export function readQuestion(bytes: Buffer): Question | null {
  const labels: string[] = []
  let at = headerBytes
  while (at < bytes.length && bytes[at]! > 0) {
    labels.push(bytes.toString('latin1', at + 1, at + 1 + bytes[at]!))
    at += 1 + bytes[at]!
  }
  const end = at + 5
  if (end > bytes.length) return null
  return {
    id: bytes.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: bytes.readUInt16BE(at + 1),
    section: bytes.subarray(headerBytes, end),
  }
}

function respond(question: Question, monitor: number, answer: Answer | null): Buffer {
  if (answer === null) return message(question, responseCode.noSuchName, [])
  if (answer.condition === 'failing') return message(question, responseCode.serverFailure, [])
  if (answer.condition === 'unavailable') return message(question, responseCode.refused, [])
  // A pointer to the name in the question, type A, class IN, TTL 0, four bytes of address.
  const record = [0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...addressOf(monitor)]
  return message(question, responseCode.good, question.type === typeA ? record : [])
}

function message(question: Question, code: number, record: readonly number[]): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(question.id, 0)
  header.writeUInt16BE(isAnswer | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(record.length > 0 ? 1 : 0, 6)
  return Buffer.concat([header, question.section, Buffer.from(record)])
}
