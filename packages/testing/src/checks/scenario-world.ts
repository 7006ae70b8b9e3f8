// checks/scenario-world.ts: owns the peers of one driver: starts them, counts their connections, stops them all. `await
// using world = new ScenarioWorld()`, then `return world.scenarios({ peers, troubles })` hands it on.

import { BlackHole } from '../targets/black-hole.ts'
import { type TcpBehaviour, TcpTarget } from '../targets/tcp-target.ts'
import { checkFixture } from './check-fixture.ts'
import type { CheckScenarios } from './scenarios.ts'

interface Address {
  readonly host: string
  readonly port: number
}

interface Target extends AsyncDisposable {
  readonly port: number
  readonly openSockets: number
}

export class ScenarioWorld implements AsyncDisposable {
  #owned = new AsyncDisposableStack()
  readonly #counts: (() => number)[] = []

  /** Takes over a running target. */
  keep(target: Target): Address {
    this.#owned.use(target)
    this.#counts.push(() => target.openSockets)
    return { host: '127.0.0.1', port: target.port }
  }

  async tcp(behaviour: TcpBehaviour): Promise<Address> {
    const target = this.#owned.use(await TcpTarget.start({ behaviour }))
    this.#counts.push(() => target.connectionsOpen)
    return { host: target.host, port: target.port }
  }

  /** A port that nothing listens at. */
  async closedPort(): Promise<Address> {
    const target = this.#owned.use(await TcpTarget.start())
    await target.refuses()
    return { host: target.host, port: target.port }
  }

  /** A port where connecting neither succeeds nor fails. */
  async blackHole(): Promise<Address> {
    const { host, port } = this.#owned.use(await BlackHole.start())
    return { host, port }
  }

  scenarios(
    world: Pick<CheckScenarios, 'peers' | 'troubles'> & Partial<Pick<CheckScenarios, 'credentials'>>,
  ): CheckScenarios {
    const { network } = this.#owned.use(checkFixture())
    const owned = this.#owned.move()
    return {
      network,
      credentials: new Map(),
      ...world,
      openConnections: () => this.#counts.reduce((open, count) => open + count(), 0),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }
}
