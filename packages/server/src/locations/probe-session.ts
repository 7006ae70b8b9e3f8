// locations/probe-session.ts: one connected probe as the service sees it: which definitions it has, which checks it was
// asked for, and how it is. Sends checks in batches, each after the definitions that it needs.
import { Buffer } from 'node:buffer'
import { stableHash } from '../platform/string-hash.ts'
import { version } from '../platform/version.ts'
import { mostChecks, type RemoteResults, readResults, writeNumbers, writeTickets } from './batches.ts'
import { type FrameKind, type FrameReader, FrameWriter, frameKinds, ProtocolFault } from './frame.ts'
import { LentDefinitions } from './lent-definitions.ts'
import { type Definition, type Hello, type ProbeState, readState, toJson } from './messages.ts'
import { OpenTickets } from './open-tickets.ts'

/** The connection to a probe. */
export interface ProbeLink {
  send(frame: Buffer): void
  /** What was sent and has not left. */
  readonly unsentBytes: number
}

export interface ProbeSessionOptions {
  readonly hello: Hello
  readonly principal: string
  /** Eight bytes that no other session had. */
  readonly id: Uint8Array
  readonly link: ProbeLink
  /** It has opened the hello of the probe. */
  readonly reader: FrameReader
  readonly sinceMs: number
  readonly nowMs: () => number
}

/** How long after the timeout of a check its result may arrive. */
const onItsWayMs = 1_000
/** A connection that cannot carry this away is too slow for its checks. */
const mostUnsentBytes = 16 << 20
const definitionBytesPerFrame = 256 << 10

export class ProbeSession {
  readonly hello: Hello
  readonly principal: string
  readonly sinceMs: number
  /** Decides which monitors of its location it gets. */
  readonly seed: number
  readonly lent = new LentDefinitions()
  readonly tickets = new OpenTickets()
  readonly #link: ProbeLink
  readonly #nowMs: () => number
  readonly #writer = new FrameWriter()
  readonly #reader: FrameReader
  #state: ProbeState = { isDraining: false, isOverloaded: false }
  #definitions: Definition[] = []
  #definitionBytes = 0
  #tickets: number[] = []
  #numbers: number[] = []
  /** Rows whose definition is taken back when their check ends. */
  readonly #leaving = new Set<number>()

  /** Welcomes the probe. */
  constructor({ hello, principal, id, link, reader, sinceMs, nowMs }: ProbeSessionOptions) {
    this.hello = hello
    this.principal = principal
    this.sinceMs = sinceMs
    this.seed = stableHash(hello.instance)
    this.#link = link
    this.#nowMs = nowMs
    this.#reader = reader
    this.#send(frameKinds.welcome, toJson({ version, session: Buffer.from(id).toString('hex') }))
    this.#writer.begin(id)
    this.#reader.begin(id)
  }

  get isDraining(): boolean {
    return this.#state.isDraining
  }

  /** Why it gets no checks now; null if it does. */
  get trouble(): 'overloaded' | 'slow connection' | null {
    if (this.#state.isOverloaded) return 'overloaded'
    return this.#link.unsentBytes > mostUnsentBytes ? 'slow connection' : null
  }

  /** Adds a check to the next batch. define: makes the definition, which is only called if the probe does not have it. */
  run(
    check: { readonly row: number; readonly generation: number; readonly timeoutMs: number },
    define: () => Omit<Definition, 'number'>,
  ): void {
    const { row, generation, timeoutMs } = check
    this.#leaving.delete(row)
    const offeredMs = this.#nowMs()
    this.#numbers.push(this.lent.numberOf(row) ?? this.#define(row, define()))
    this.#tickets.push(
      this.tickets.give({ row, generation, offeredMs, untilMs: offeredMs + timeoutMs + onItsWayMs }),
    )
    if (this.#tickets.length === mostChecks) this.flush()
  }

  /** Sends the checks that were added. */
  flush(): void {
    this.#sendDefinitions()
    if (this.#tickets.length === 0) return
    const batch = { tickets: Uint32Array.from(this.#tickets), numbers: Uint32Array.from(this.#numbers) }
    this.#tickets = []
    this.#numbers = []
    this.#send(frameKinds.run, writeTickets(batch))
  }

  /** The probe need not have this definition any more. It keeps it while it runs the check. */
  release(row: number): void {
    if (!this.lent.has(row)) return
    if (this.tickets.hasCheckOf(row)) this.#leaving.add(row)
    else this.#takeBack([row])
  }

  /** The same for many. */
  releaseAll(rows: readonly number[]): void {
    const busy = rows.filter((row) => this.tickets.hasCheckOf(row))
    for (const row of busy) this.#leaving.add(row)
    this.#takeBack(rows.filter((row) => !this.tickets.hasCheckOf(row)))
  }

  /** The check of this row ends without the probe; false if it has none. */
  endCheck(row: number): boolean {
    if (!this.tickets.end(row)) return false
    this.checkEnded(row)
    return true
  }

  /** To be called after a check has ended. */
  checkEnded(row: number): void {
    if (this.#leaving.delete(row)) this.#takeBack([row])
  }

  /** What the probe sent; null if it was no batch of results. Throws a ProtocolFault if it is not what a probe sends. */
  take(data: Buffer): RemoteResults | null {
    const { kind, body } = this.#reader.open(data)
    if (kind === frameKinds.results) return readResults(body)
    if (kind !== frameKinds.state)
      throw new ProtocolFault('The probe sent a frame that only a service sends.')
    this.#state = readState(body)
    return null
  }

  /** The last words of the service. */
  refuse(sentence: string): void {
    this.#send(frameKinds.refused, toJson({ sentence }))
  }

  #define(row: number, definition: Omit<Definition, 'number'>): number {
    const number = this.lent.lend(row, Object.keys(definition.credentials).length > 0)
    this.#definitions.push({ ...definition, number })
    this.#definitionBytes += definition.config.length + 128
    if (this.#definitionBytes > definitionBytesPerFrame) this.#sendDefinitions()
    return number
  }

  #sendDefinitions(): void {
    if (this.#definitions.length === 0) return
    const definitions = this.#definitions
    this.#definitions = []
    this.#definitionBytes = 0
    this.#send(frameKinds.define, toJson(definitions))
  }

  #takeBack(rows: readonly number[]): void {
    const numbers = rows.flatMap((row) => this.lent.takeBack(row) ?? [])
    if (numbers.length === 0) return
    // What was added before has to arrive before.
    this.flush()
    this.#send(frameKinds.forget, writeNumbers(numbers))
  }

  #send(kind: FrameKind, body: Buffer): void {
    this.#link.send(this.#writer.frame(kind, body))
  }
}
