// bulk/around-work.ts: what the controller provides for the work on collections: existing resources, credential values,
// and locks on the resources that are about to be applied. Secrets are sealed here, where the keys are.

import { builtInNames, compileJobType } from '../kinds/job-type-in-force.ts'
import { versionProblem } from '../kinds/job-type-versions.ts'
import type { ManagedKind, ResourceKey } from '../kinds/kind.ts'
import { kindNamed } from '../kinds/kind-table.ts'
import type { KeyedLock } from '../managing/keyed-lock.ts'
import type { Registry } from '../managing/registry.ts'
import type { Misfit } from '../managing/resource-use.ts'
import { StoreError } from '../store/store.ts'
import { SecretText } from '../vault/envelope.ts'
import type { Vault } from '../vault/vault.ts'
import type {
  AroundWork,
  JobTypeMisfits,
  NewJobType,
  NewValue,
  Presence,
  RoutedMonitor,
  SealedSecret,
  Secret,
} from './work.ts'

export interface ControllerSideOptions {
  readonly registry: Registry
  readonly vault: Pick<Vault, 'prepare' | 'seal' | 'open'>
  /** Shared with single writes. */
  readonly lock: KeyedLock
  /** Whether a route that matches has a destination for red. */
  readonly routeTells: (monitor: RoutedMonitor) => boolean
}

export class ControllerSide implements AroundWork {
  readonly #options: ControllerSideOptions
  readonly #locks = new Map<string, ChunkLock>()

  constructor(options: ControllerSideOptions) {
    this.#options = options
  }

  async presence(keys: readonly ResourceKey[]): Promise<readonly Presence[]> {
    const { registry } = this.#options
    return keys.map(([number, id]) => {
      const kind = kindNamed(number)
      if (registry.isFromFile(kind, id)) return 'file'
      return registry.has(kind, id) ? 'there' : 'none'
    })
  }

  async someIds(kind: ManagedKind): Promise<readonly string[]> {
    return this.#options.registry.someIds(kind)
  }

  async credentialValues(ids: readonly string[]): Promise<readonly (string | null)[]> {
    return ids.map(this.#options.registry.credentialValue)
  }

  async misfits(values: readonly NewValue[]): Promise<readonly (readonly Misfit[])[]> {
    const { uses } = this.#options.registry
    const found: Misfit[][] = []
    // One after another: each of them yields to other work.
    for (const { id, value } of values) found.push(await uses.misfits(id, value))
    return found
  }

  async keyOwners(keys: readonly string[]): Promise<readonly (string | null)[]> {
    return keys.map((key) => this.#options.registry.monitorWithKey(key))
  }

  async hostsOfPages(): Promise<readonly (readonly [string, string])[]> {
    return [...this.#options.registry.hostsOfPages()]
  }

  async jobTypes(ids: readonly string[]): Promise<readonly (string | null)[]> {
    const { registry } = this.#options
    return ids.map((id) => {
      const found = registry.allowsJobTypes ? registry.find('JobType', id) : undefined
      return found === undefined ? null : JSON.stringify(found.spec)
    })
  }

  async jobTypeMisfits(jobTypes: readonly NewJobType[]): Promise<readonly JobTypeMisfits[]> {
    const { registry } = this.#options
    const names = builtInNames(registry.drivers)
    const found: JobTypeMisfits[] = []
    for (const { id, spec: text } of jobTypes) {
      const spec = JSON.parse(text)
      const { jobType } = compileJobType(id, spec, names)
      found.push({
        version: versionProblem(registry.find('JobType', id)?.versions ?? [], spec),
        misfits: jobType === null ? [] : await registry.uses.misfitsOfJobType(jobType),
      })
    }
    return found
  }

  async routesTell(monitors: readonly RoutedMonitor[]): Promise<readonly boolean[]> {
    return monitors.map(this.#options.routeTells)
  }

  async seal(number: number, secrets: readonly Secret[]): Promise<readonly Uint8Array[]> {
    const { vault } = this.#options
    try {
      await vault.prepare()
      return secrets.map(({ itemId, text }) => vault.seal(stagedName(itemId), stagedVersion(number), text))
    } catch (error) {
      // Nothing is staged that could not be opened after a restart.
      throw new StoreError('io', (error as Error).message, { cause: error })
    }
  }

  async open(number: number, sealed: readonly SealedSecret[]): Promise<readonly (string | null)[]> {
    return sealed.map((secret) => this.openOne(number, secret))
  }

  openOne(number: number, { itemId, sealed }: SealedSecret): string | null {
    const opened = this.#options.vault.open(stagedName(itemId), stagedVersion(number), sealed)
    return opened instanceof SecretText ? opened.reveal() : null
  }

  async lock(number: number, place: number, keys: readonly ResourceKey[]): Promise<void> {
    // An earlier attempt may have died while it waited.
    this.unlock(number, place)
    const lock = new ChunkLock()
    this.#locks.set(lockName(number, place), lock)
    await lock.take(
      this.#options.lock,
      keys.map(([kind, id]) => `${kindNamed(kind)} ${id}`),
    )
  }

  readonly unlock = (number: number, place: number): void => {
    const name = lockName(number, place)
    this.#locks.get(name)?.[Symbol.dispose]()
    this.#locks.delete(name)
  }

  /** Releases everything that an operation has locked or waits for. */
  readonly unlockAll = (number: number): void => {
    for (const name of [...this.#locks.keys()])
      if (name.startsWith(`${number} `)) this.unlock(number, Number(name.slice(name.indexOf(' '))))
  }
}

/** May be disposed before it is acquired: then it is released as soon as it is. */
class ChunkLock implements Disposable {
  #held: Disposable | null = null
  #isGivenUp = false

  async take(lock: KeyedLock, keys: readonly string[]): Promise<void> {
    const held = await lock.takeAll(keys)
    if (this.#isGivenUp) held[Symbol.dispose]()
    else this.#held = held
  }

  [Symbol.dispose](): void {
    this.#isGivenUp = true
    this.#held?.[Symbol.dispose]()
  }
}

/** No credential has such an id, so a staged value cannot be taken for one. */
function stagedName(itemId: string): string {
  return `staged/${itemId}`
}

function stagedVersion(number: number): string {
  return `operation ${number}`
}

function lockName(number: number, place: number): string {
  return `${number} ${place}`
}
