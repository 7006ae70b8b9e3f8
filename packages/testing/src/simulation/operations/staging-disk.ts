// simulation/operations/staging-disk.ts: the staged items of operations, which survive every process as their
// files do. The code that works on them is the service's own; calls of a dead process have no effect.
import { CollectionWork } from '@pulseward/server/internal/bulk/collection-work.ts'
import type { AroundWork, BulkWork, Staged } from '@pulseward/server/internal/bulk/work.ts'
import { driverShapes } from '@pulseward/server/internal/config/driver-shapes.ts'
import { ResourceValidator } from '@pulseward/server/internal/kinds/validate-resource.ts'
import type { Store } from '@pulseward/server/internal/store/store.ts'

export class StagingDisk implements Disposable {
  readonly #work: CollectionWork
  readonly #staged = new Map<number, Staged>()
  #side: AroundWork | null = null

  constructor(store: Store) {
    let uids = 0
    const side = (): AroundWork => {
      if (this.#side === null) throw new Error('something is staged while no process runs')
      return this.#side
    }
    this.#work = new CollectionWork({
      beside: store.openBeside(),
      store: 'simulated',
      around: {
        presence: (keys) => side().presence(keys),
        someIds: (kind) => side().someIds(kind),
        credentialValues: (ids) => side().credentialValues(ids),
        keyOwners: (keys) => side().keyOwners(keys),
        hostsOfPages: () => side().hostsOfPages(),
        misfits: (values) => side().misfits(values),
        jobTypes: (ids) => side().jobTypes(ids),
        jobTypeMisfits: (jobTypes) => side().jobTypeMisfits(jobTypes),
        routesTell: (monitors) => side().routesTell(monitors),
        seal: (number, secrets) => side().seal(number, secrets),
        open: (number, sealed) => side().open(number, sealed),
        lock: (number, place, keys) => side().lock(number, place, keys),
      },
      validator: new ResourceValidator(driverShapes),
      drivers: driverShapes,
      allowsLocalDrivers: false,
      allowsJobTypes: false,
      schemas: () => null,
      newUid: () => `s-u${uids++}`,
      versionOf: (change) => `1.${change}`,
    })
  }

  [Symbol.dispose](): void {
    this.#work[Symbol.dispose]()
  }

  /** For one process. */
  openFor(side: AroundWork, isAlive: () => boolean): BulkWork {
    this.#side = side
    const work = this.#work
    const alive = <Result>(ask: () => Promise<Result>): Promise<Result> => {
      const never = new Promise<Result>(() => {})
      if (!isAlive()) return never
      return ask().then(
        (result) => (isAlive() ? result : never),
        (error) => (isAlive() ? Promise.reject(error) : never),
      )
    }
    const noted = (number: number, ask: () => Promise<Staged>) =>
      alive(async () => this.#note(number, await ask()))
    return {
      create: (head) => noted(head.number, () => work.create(head)),
      resume: (number) => alive(async () => this.#staged.get(number) ?? null),
      upload: (number, contentType, bytes, now) =>
        alive(async () => {
          const answer = await work.upload(number, contentType, bytes, now)
          return 'refusal' in answer ? answer : this.#note(number, answer)
        }),
      freeze: (number, items, now) => noted(number, () => work.freeze(number, items, now)),
      freezeRevisions: (number, items, now) => noted(number, () => work.freezeRevisions(number, items, now)),
      settle: (number) => alive(() => work.settle(number)),
      frozen: (number, place, count) => alive(() => work.frozen(number, place, count)),
      touch: (number, now) => alive(() => work.touch(number, now)),
      incomplete: (number) => alive(() => work.incomplete(number)),
      validate: (number) => alive(() => work.validate(number)),
      foresee: (number, count) => alive(() => work.foresee(number, count)),
      prepare: (number, place, count) => alive(() => work.prepare(number, place, count)),
      stillToCome: (number, keys, since) => alive(() => work.stillToCome(number, keys, since)),
      itemIds: (number, place, count) => alive(() => work.itemIds(number, place, count)),
      resourcesOf: (number, itemIds) => alive(() => work.resourcesOf(number, itemIds)),
      preflight: (contentType, bytes) => alive(() => work.preflight(contentType, bytes)),
      drop: (number) => alive(() => this.#drop(number)),
      dropAllBut: (numbers) =>
        alive(async () => {
          for (const number of this.#staged.keys()) if (!numbers.includes(number)) await this.#drop(number)
        }),
    }
  }

  #note(number: number, staged: Staged): Staged {
    this.#staged.set(number, staged)
    return staged
  }

  async #drop(number: number): Promise<void> {
    this.#staged.delete(number)
    await this.#work.drop(number)
  }
}
