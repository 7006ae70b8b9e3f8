// place-simulation/simulated-probe.ts: a probe of a place, with a network that holds, loses and repeats what it sends, and a
// clock that runs at a speed of its own.
import { Buffer } from 'node:buffer'
import { outcomeStatuses } from '@pulseward/server/internal/checking/probe/probe-protocol.ts'
import { readNumbers, readTickets, writeResults } from '@pulseward/server/internal/locations/batches.ts'
import { FrameReader, FrameWriter, frameKinds } from '@pulseward/server/internal/locations/frame.ts'
import {
  type Definition,
  fromJson,
  type Hello,
  toJson,
  type Welcome,
} from '@pulseward/server/internal/locations/messages.ts'
import { ProbeSession } from '@pulseward/server/internal/locations/probe-session.ts'
import type { Word } from './quorum-model.ts'

export interface AskedCheck {
  readonly ticket: number
  readonly definition: Definition
}

export interface SimulatedProbeOptions {
  readonly place: string
  readonly number: number
  readonly nowMs: () => number
  /** How fast its clock runs. */
  readonly clockSpeed: number
  readonly asked: (probe: SimulatedProbe, check: AskedCheck) => void
}

/** What it has to report, and how long that took by the clock of the service. */
export interface Report {
  readonly ticket: number
  readonly word: Word
  readonly tookMs: number
}

export class SimulatedProbe {
  readonly place: string
  readonly session: ProbeSession
  isOverloaded = false
  readonly #options: SimulatedProbeOptions
  readonly #definitions = new Map<number, Definition>()
  readonly #writer = new FrameWriter()
  readonly #reader = new FrameReader()

  constructor(options: SimulatedProbeOptions) {
    const { place, number, nowMs } = options
    this.#options = options
    this.place = place
    const name = `${place}-${number}`
    const hello: Hello = { version: '0.1.0', location: place, name, instance: name }
    const reader = new FrameReader()
    reader.open(this.#writer.frame(frameKinds.hello, toJson(hello)))
    const id = Buffer.alloc(8)
    id.writeUInt32LE(number)
    this.session = new ProbeSession({
      hello,
      principal: place,
      id,
      reader,
      link: { send: (frame) => this.#hear(frame), unsentBytes: 0 },
      sinceMs: 0,
      nowMs,
    })
  }

  results(reports: readonly Report[]): Buffer {
    const { clockSpeed } = this.#options
    const took = Float32Array.from(reports, ({ tookMs }) => tookMs * clockSpeed)
    return this.#writer.frame(
      frameKinds.results,
      writeResults({
        tickets: Uint32Array.from(reports, ({ ticket }) => ticket),
        outcomes: Uint8Array.from(reports, ({ word }) => outcomeStatuses.indexOf(word)),
        tookMs: took,
        latencyMs: took,
        notes: [],
      }),
    )
  }

  state(isOverloaded: boolean): Buffer {
    this.isOverloaded = isOverloaded
    return this.#writer.frame(frameKinds.state, toJson({ isDraining: false, isOverloaded }))
  }

  #hear(frame: Buffer): void {
    const { kind, body } = this.#reader.open(frame)
    if (kind === frameKinds.welcome) {
      const id = Buffer.from(fromJson<Welcome>(body).session, 'hex')
      this.#writer.begin(id)
      this.#reader.begin(id)
    } else if (kind === frameKinds.define)
      for (const one of fromJson<readonly Definition[]>(body)) this.#definitions.set(one.number, one)
    else if (kind === frameKinds.forget)
      for (const number of readNumbers(body)) this.#definitions.delete(number)
    else if (kind === frameKinds.run) {
      const { tickets, numbers } = readTickets(body)
      for (const [index, ticket] of tickets.entries()) {
        const definition = this.#definitions.get(numbers[index]!)
        if (definition === undefined) throw new Error('a check came before its definition')
        this.#options.asked(this, { ticket, definition })
      }
    }
  }
}
