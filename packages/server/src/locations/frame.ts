// locations/frame.ts: the envelope of everything that a service and a probe elsewhere send each other: what it is, which
// session it is of, and its number there. Numbers go up by one, so a frame that is lost, repeated or of another session
// is noticed; it ends the connection.
import { Buffer } from 'node:buffer'

export const frameKinds = {
  /** From the probe: who it is. */
  hello: 1,
  /** From the service: the session. Everything after it carries its id. */
  welcome: 2,
  /** From the service: why the connection ends. */
  refused: 3,
  define: 4,
  forget: 5,
  run: 6,
  results: 7,
  state: 8,
} as const
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds]

const sessionBytes = 8
const headBytes = 1 + sessionBytes + 4

/** The largest frame that the service takes; results have bounded texts. */
export const mostBytesFromProbe = 4 << 20
/** The largest frame that a probe takes: one definition with its credentials may be this large. */
export const mostBytesFromService = 16 << 20

/** What is wrong with what the other side sent, as a sentence. */
export class ProtocolFault extends Error {}

export const noSession: Uint8Array = new Uint8Array(sessionBytes)

/** Wraps what one side sends. */
export class FrameWriter {
  #session = noSession
  #next = 0

  begin(session: Uint8Array): void {
    this.#session = session
  }

  frame(kind: FrameKind, body: Uint8Array): Buffer<ArrayBuffer> {
    const frame = Buffer.alloc(headBytes + body.length)
    frame[0] = kind
    frame.set(this.#session, 1)
    frame.writeUInt32LE(this.#next, 1 + sessionBytes)
    this.#next = (this.#next + 1) >>> 0
    frame.set(body, headBytes)
    return frame
  }
}

export interface Frame {
  readonly kind: FrameKind
  readonly body: Buffer
}

/** Opens what the other side sends. */
export class FrameReader {
  #session = noSession
  #next = 0

  begin(session: Uint8Array): void {
    this.#session = session
  }

  /** Throws a ProtocolFault if this is not the next frame of the session. */
  open(frame: Buffer): Frame {
    if (frame.length < headBytes) throw new ProtocolFault('A frame is too short.')
    if (Buffer.compare(frame.subarray(1, 1 + sessionBytes), this.#session) !== 0)
      throw new ProtocolFault('A frame belongs to another session.')
    if (frame.readUInt32LE(1 + sessionBytes) !== this.#next)
      throw new ProtocolFault('A frame was repeated, or one is missing.')
    this.#next = (this.#next + 1) >>> 0
    return { kind: frame[0] as FrameKind, body: frame.subarray(headBytes) }
  }
}
