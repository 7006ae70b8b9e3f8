// store-contract/resource-store.ts: a store under test, with a clock that the test moves and shortcuts to
// write and list monitors.
import type {
  ResourceQuery,
  ResourceWrite,
  StoredResource,
} from '@pulseward/server/internal/store/resource.ts'
import type { StoreBounds } from '@pulseward/server/internal/store/retention.ts'
import type { Store } from '@pulseward/server/internal/store/store.ts'
import { batch } from '../store/samples.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

export const minute = 60_000

const monitors = { kind: 'Monitor', afterId: null, limit: 500, selector: null } as const

export class ResourceStore {
  readonly #clock: { now: number }
  readonly #opened: StoreUnderTest
  store: Store

  static async open(open: OpenStore, bounds?: StoreBounds): Promise<ResourceStore> {
    const clock = { now: 1_700_000_000_000 }
    return new ResourceStore(clock, await open(() => clock.now, bounds))
  }

  private constructor(clock: { now: number }, opened: StoreUnderTest) {
    this.#clock = clock
    this.#opened = opened
    this.store = opened.store
  }

  /** What the store's clock says; the test sets it. */
  get now(): number {
    return this.#clock.now
  }

  set now(now: number) {
    this.#clock.now = now
  }

  async reopen(): Promise<void> {
    this.store = await this.#opened.reopen()
  }

  async write(...resources: ResourceWrite[]): Promise<void> {
    await this.store.commit(batch({ resources }))
  }

  /** Advances the time like a running service, which commits something every minute. */
  async pass(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed++) {
      this.now += minute
      await this.store.commit(batch({}))
    }
  }

  retain(rows = 60): Promise<number> {
    return this.store.retain(this.now, rows)
  }

  /** Lists monitors; by default all of them, in their present state. */
  async list(query: Partial<ResourceQuery> = {}): Promise<readonly StoredResource[] | 'expired'> {
    const upToChange = Number.MAX_SAFE_INTEGER
    const page = await this.store.listResources({ ...monitors, upToChange, ...query })
    return page === 'expired' ? page : page.resources
  }

  async listIds(query: Partial<ResourceQuery> = {}): Promise<readonly string[] | 'expired'> {
    const found = await this.list(query)
    return found === 'expired' ? found : found.map(({ id }) => id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]()
  }
}
