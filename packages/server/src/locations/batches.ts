// locations/batches.ts: checks and their results as they travel: columns of numbers, little-endian, and texts only for
// results that have any. A check goes by its ticket, which is used once; its definition by the number it was sent with.
import { Buffer } from 'node:buffer'
import { notMade, outcomeStatusMask } from '../checking/probe/probe-protocol.ts'
import { cut, onOneLine } from '../platform/wording.ts'
import { ProtocolFault } from './frame.ts'

const uint32 = 4
/** What a probe says of an outcome; evidence of own faults is judged where it is found. */
const outcomeBits = outcomeStatusMask | notMade

const resultBytes = 3 * uint32 + 1

export interface Tickets {
  readonly tickets: Uint32Array
  /** Of their definitions. */
  readonly numbers: Uint32Array
}

export interface RemoteNote {
  readonly position: number
  readonly reason: string | null
  readonly warning: string | null
  readonly certificateExpiresAt: number | null
}

/** One entry per result in every column. */
export interface RemoteResults {
  readonly tickets: Uint32Array
  /** Index into outcomeStatuses; with notMade where it was the fault of the probe's place. */
  readonly outcomes: Uint8Array
  /** How long the checks took, by the clock of the probe. */
  readonly tookMs: Float32Array
  readonly latencyMs: Float32Array
  readonly notes: readonly RemoteNote[]
}

/** More checks than this are sent in several frames. */
export const mostChecks = 4_096
/** A probe collects fewer. */
const mostResults = 4_096
const mostCharacters = 512

export function writeNumbers(numbers: readonly number[] | Uint32Array): Buffer {
  const body = Buffer.alloc(numbers.length * uint32)
  for (let index = 0; index < numbers.length; index++) body.writeUInt32LE(numbers[index]!, index * uint32)
  return body
}

export function readNumbers(body: Buffer): Uint32Array {
  const numbers = new Uint32Array(Math.floor(body.length / uint32))
  for (let index = 0; index < numbers.length; index++) numbers[index] = body.readUInt32LE(index * uint32)
  return numbers
}

export function writeTickets({ tickets, numbers }: Tickets): Buffer {
  return Buffer.concat([writeNumbers(tickets), writeNumbers(numbers)])
}

export function readTickets(body: Buffer): Tickets {
  const both = readNumbers(body)
  const count = both.length / 2
  return { tickets: both.slice(0, count), numbers: both.slice(count) }
}

export function writeResults({ tickets, outcomes, tookMs, latencyMs, notes }: RemoteResults): Buffer {
  const count = tickets.length
  const texts = notes.length === 0 ? '' : JSON.stringify(notes.map(bounded))
  const body = Buffer.alloc(uint32 + count * resultBytes + Buffer.byteLength(texts))
  body.writeUInt32LE(count, 0)
  let place = uint32
  for (let index = 0; index < count; index++) {
    body.writeUInt32LE(tickets[index]!, place)
    body.writeFloatLE(tookMs[index]!, place + uint32)
    body.writeFloatLE(latencyMs[index]!, place + 2 * uint32)
    body[place + 3 * uint32] = outcomes[index]! & outcomeBits
    place += resultBytes
  }
  body.write(texts, place)
  return body
}

/** Throws a ProtocolFault for anything that a probe does not send. */
export function readResults(body: Buffer): RemoteResults {
  const count = body.length < uint32 ? 0 : body.readUInt32LE(0)
  const textsFrom = uint32 + count * resultBytes
  if (count === 0 || count > mostResults || body.length < textsFrom)
    throw new ProtocolFault('A batch of results has not the length that it says.')
  const results = {
    tickets: new Uint32Array(count),
    outcomes: new Uint8Array(count),
    tookMs: new Float32Array(count),
    latencyMs: new Float32Array(count),
    notes: notesIn(body.subarray(textsFrom), count),
  }
  for (let index = 0, place = uint32; index < count; index++, place += resultBytes) {
    results.tickets[index] = body.readUInt32LE(place)
    results.tookMs[index] = duration(body.readFloatLE(place + uint32))
    results.latencyMs[index] = duration(body.readFloatLE(place + 2 * uint32))
    results.outcomes[index] = body[place + 3 * uint32]! & outcomeBits
  }
  return results
}

function duration(ms: number): number {
  if (ms >= 0 && ms < 1e9) return ms
  throw new ProtocolFault('A result says that its check took an impossible time.')
}

function notesIn(texts: Buffer, count: number): readonly RemoteNote[] {
  if (texts.length === 0) return []
  let notes: unknown = null
  try {
    notes = JSON.parse(texts.toString('utf8'))
  } catch {
    // Answered below.
  }
  if (!Array.isArray(notes)) throw new ProtocolFault('The texts of a batch of results are not a list.')
  let last = -1
  return notes.map((note: unknown) => {
    const { position, reason, warning, certificateExpiresAt } = (note ?? {}) as Partial<RemoteNote>
    if (!Number.isInteger(position) || position! <= last || position! >= count)
      throw new ProtocolFault('A text belongs to no result of its batch.')
    last = position!
    return {
      position: last,
      reason: text(reason),
      warning: text(warning),
      certificateExpiresAt: Number.isFinite(certificateExpiresAt) ? certificateExpiresAt! : null,
    }
  })
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? onOneLine(cut(value, mostCharacters)) : null
}

function bounded(note: RemoteNote): RemoteNote {
  return { ...note, reason: text(note.reason), warning: text(note.warning) }
}
