// locations/connected-probe.fixture.ts: a probe in memory that is connected to a service whose time the test controls.
import type { TestService } from '@pulseward/testing/engine'
import { type Answer, FakeProbe, helloOf } from './fake-probe.fixture.ts'
import { FrameReader } from './frame.ts'
import { ProbeSession } from './probe-session.ts'

let sessions = 0

/** A probe that is connected to the service. */
export class ConnectedProbe extends FakeProbe {
  readonly session: ProbeSession
  readonly #service: TestService
  unsentBytes = 0

  constructor(service: TestService, name = 'fra-1', location = 'fra') {
    super()
    this.#service = service
    const hello = helloOf({ name, location, instance: name })
    const reader = new FrameReader()
    reader.open(this.hello(hello))
    const probe = this
    this.session = new ProbeSession({
      hello,
      principal: 'fra',
      id: Uint8Array.from([0, 0, 0, 0, 0, 0, 0, ++sessions]),
      reader,
      link: {
        send: (frame) => this.hear(frame),
        get unsentBytes() {
          return probe.unsentBytes
        },
      },
      sinceMs: 0,
      nowMs: () => service.clock.monotonicMs(),
    })
    service.remote.join(this.session)
  }

  send(frame: Buffer): void {
    const results = this.session.take(frame)
    if (results === null) this.#service.remote.stateChanged(this.session)
    else this.#service.remote.takeResults(this.session, results)
  }

  answer(answer: Answer): void {
    if (this.asked.length > 0) this.send(this.answers(answer))
  }

  leaves(): void {
    this.#service.remote.leave(this.session, 'has disconnected')
  }
}
