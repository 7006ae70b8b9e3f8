// bulk/operations.fixture.ts: bulk operations over a desk, a store in memory and staging in memory, without a
// thread and without HTTP: every part can be made to fail.
import { setImmediate as afterOthers } from 'node:timers/promises'
import { expect } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import { ResourceValidator } from '../kinds/validate-resource.ts'
import { DeskUnderTest } from '../managing/desk.fixture.ts'
import { silentLog } from '../telemetry/log.ts'
import { ControllerSide } from './around-work.ts'
import { CollectionWork } from './collection-work.ts'
import { BulkOperations, type BulkOperationsOptions } from './operations.ts'
import { credential, itemsOf, monitor } from './served.fixture.ts'
import type { BulkWork } from './work.ts'

export class OperationsUnderTest implements AsyncDisposable {
  readonly under: DeskUnderTest
  readonly options: BulkOperationsOptions
  readonly operations: BulkOperations
  #last = 100

  private constructor(under: DeskUnderTest) {
    this.under = under
    const { registry, tested, store, vault, lock, path } = under
    const side = new ControllerSide({ registry, vault, lock, routeTells: () => false })
    let uids = 0
    const shared = {
      validator: new ResourceValidator(driverShapes),
      versionOf: (change: number) => `1.${change}`,
      schemas: () => null,
    }
    const work: BulkWork = new CollectionWork({
      ...shared,
      beside: store.openBeside(),
      store: 'tested',
      around: side,
      drivers: driverShapes,
      allowsLocalDrivers: false,
      allowsJobTypes: true,
      newUid: () => `bulk-${++uids}`,
    })
    const { engine } = tested
    this.options = {
      ...shared,
      ...{ work, side, registry, store, vault, path, fleet: tested.fleet, log: silentLog },
      engine: {
        request: (unstored, work) => engine.request(unstored, work),
        applyControl: (turn, control) => engine.applyControl(turn, control),
      },
      healthOf: (row) => engine.reading.healthOf(row),
      lastChange: () => engine.reading.commits.change,
      storeName: 'tested',
      clock: { wallMs: () => 0, monotonicMs: () => 0 },
      roomForWrite: () => null,
      itemsAtOnce: 2,
      wait: async () => void (await afterOthers()),
    }
    this.operations = new BulkOperations(this.options)
    this.operations.start()
  }

  static async start(): Promise<OperationsUnderTest> {
    return new OperationsUnderTest(await DeskUnderTest.start())
  }

  /** The number of the last operation. */
  get last(): number {
    return this.#last
  }

  /** Two credentials and three monitors, in three chunks; `tag` makes each call write something else. */
  async apply(tag: string): Promise<string> {
    const number = ++this.#last
    const items = itemsOf(
      credential('c1', `first ${tag}`),
      credential('c2', `second ${tag}`),
      ...['a', 'b', 'c'].map((id) => monitor(id, { tags: [tag] })),
    )
    const { operations } = this
    await operations.create(number, 'ann', { contentDigest: 'any', itemCount: items.length })
    await operations.upload(number, 'application/json', Buffer.from(JSON.stringify({ items })))
    await operations.validate(number)
    await expect
      .poll(async () => (await operations.read(number)).operation.state, { interval: 1 })
      .not.toBe('validating')
    if ((await operations.read(number)).operation.state === 'validated')
      await operations.activate(number, 'ann')
    return await this.#stateOf(number)
  }

  async snooze(): Promise<string> {
    const number = ++this.#last
    const control = { verb: 'snooze' as const, ids: ['a', 'b', 'c'], reason: 'planned', duration: '1h' }
    await this.operations.createControl(number, 'ann', { control })
    await this.operations.activate(number, 'ann')
    return await this.#stateOf(number)
  }

  async #stateOf(number: number): Promise<string> {
    const { operations } = this
    await expect
      .poll(async () => (await operations.read(number)).operation.endedAt, { interval: 1 })
      .not.toBeNull()
    return (await operations.read(number)).operation.state
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.operations[Symbol.asyncDispose]()
    await this.under[Symbol.asyncDispose]()
  }
}
