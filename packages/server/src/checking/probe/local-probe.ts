// checking/probe/local-probe.ts: the probe of a fleet that is too small for a thread: its checks run in the engine's
// thread. Results arrive in separate turns, as they do from a thread, never while checks are being handed over.
import { type OpenProbe, openProbe } from './open-probe.ts'
import { OutgoingChecks } from './outgoing-checks.ts'
import type { FleetToProbe, ProbeSetup, ResultBatch } from './probe-protocol.ts'

export class LocalProbe implements Disposable {
  readonly #opened: OpenProbe
  readonly #outgoing = new OutgoingChecks()
  #isOpen = true

  constructor(setup: ProbeSetup, onResults: (batch: ResultBatch) => void) {
    const hand = (batch: ResultBatch): void => {
      if (this.#isOpen) onResults(batch)
    }
    this.#opened = openProbe(setup, (batch) => setImmediate(hand, batch), true)
  }

  tell(message: FleetToProbe): void {
    this.#opened.probe.tell(message)
  }

  add(row: number, generation: number): void {
    this.#outgoing.add(row, generation)
  }

  flush(): void {
    const batch = this.#outgoing.take()
    if (batch !== null) this.#opened.probe.runChecks(batch.rows, batch.generations)
  }

  [Symbol.dispose](): void {
    this.#isOpen = false
    this.#opened[Symbol.dispose]()
  }
}
