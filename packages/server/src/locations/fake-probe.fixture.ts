// locations/fake-probe.fixture.ts: a probe in memory: keeps to the protocol unless a test makes it do otherwise, and answers
// what it is told to.
import { Buffer } from 'node:buffer'
import { outcomeStatuses } from '../checking/probe/probe-protocol.ts'
import type { OutcomeStatus } from '../checks/driver.ts'
import { type RemoteResults, readNumbers, readTickets, writeResults } from './batches.ts'
import { type FrameKind, FrameReader, FrameWriter, frameKinds } from './frame.ts'
import { type Definition, fromJson, type Hello, type ProbeState, toJson, type Welcome } from './messages.ts'

export interface Asked {
  readonly ticket: number
  readonly number: number
}

export function helloOf(hello: Partial<Hello> = {}): Hello {
  return { version: '0.1.0', location: 'fra', name: 'fra-1', instance: 'instance-1', ...hello }
}

/** What a probe answers. */
export interface Answer {
  readonly status: OutcomeStatus
  readonly reason?: string
  readonly latencyMs?: number
}

export function resultsOf(asked: readonly Asked[], { status, reason, latencyMs = 5 }: Answer): RemoteResults {
  return {
    tickets: Uint32Array.from(asked, ({ ticket }) => ticket),
    outcomes: new Uint8Array(asked.length).fill(outcomeStatuses.indexOf(status)),
    tookMs: new Float32Array(asked.length).fill(latencyMs),
    latencyMs: new Float32Array(asked.length).fill(latencyMs),
    notes:
      reason === undefined
        ? []
        : asked.map((_, position) => ({ position, reason, warning: null, certificateExpiresAt: null })),
  }
}

/** The probe's side of the protocol, without a connection. */
export class FakeProbe {
  readonly definitions = new Map<number, Definition>()
  /** What it was asked and has not answered. */
  readonly asked: Asked[] = []
  refusedWith: string | null = null
  readonly #writer = new FrameWriter()
  readonly #reader = new FrameReader()

  /** The ids of the targets whose definitions it has, as their ports say. */
  get ports(): readonly number[] {
    return [...this.definitions.values()]
      .map(({ config }) => (JSON.parse(config) as { port: number }).port)
      .sort()
  }

  hello(hello: Hello): Buffer {
    return this.#writer.frame(frameKinds.hello, toJson(hello))
  }

  hear(frame: Buffer): void {
    const { kind, body } = this.#reader.open(frame)
    if (kind === frameKinds.welcome) this.#begin(fromJson<Welcome>(body))
    else if (kind === frameKinds.refused) this.refusedWith = fromJson<{ sentence: string }>(body).sentence
    else if (kind === frameKinds.define)
      for (const one of fromJson<readonly Definition[]>(body)) this.definitions.set(one.number, one)
    else if (kind === frameKinds.forget)
      for (const number of readNumbers(body)) this.definitions.delete(number)
    else {
      const { tickets, numbers } = readTickets(body)
      for (const [index, number] of numbers.entries()) {
        if (!this.definitions.has(number)) throw new Error('a check came before its definition')
        this.asked.push({ ticket: tickets[index]!, number })
      }
    }
  }

  /** The frame that answers all that was asked. */
  answers(answer: Answer): Buffer {
    return this.results(resultsOf(this.asked.splice(0), answer))
  }

  results(results: RemoteResults): Buffer {
    return this.frame(frameKinds.results, writeResults(results))
  }

  state(state: Partial<ProbeState>): Buffer {
    return this.frame(frameKinds.state, toJson({ isDraining: false, isOverloaded: false, ...state }))
  }

  frame(kind: FrameKind, body: Uint8Array): Buffer {
    return this.#writer.frame(kind, body)
  }

  #begin({ session }: Welcome): void {
    const id = Buffer.from(session, 'hex')
    this.#writer.begin(id)
    this.#reader.begin(id)
  }
}
