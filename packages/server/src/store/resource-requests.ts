// store/resource-requests.ts: reads of single resources, of which all in one turn of the event loop become one request.
import type { ResourceKind } from '@pulseward/contract/v2/kinds'
import type { StoredResource } from './resource.ts'

interface AskedResource {
  readonly kind: ResourceKind
  readonly id: string
  resolve(found: StoredResource | null): void
  reject(error: Error): void
}

export class ResourceRequests {
  readonly #read: (
    wanted: readonly Pick<StoredResource, 'kind' | 'id'>[],
  ) => Promise<readonly StoredResource[]>
  /** Resources with pending callers that were not requested yet. */
  #asked: AskedResource[] = []

  /** `read` returns those that exist. */
  constructor(
    read: (wanted: readonly Pick<StoredResource, 'kind' | 'id'>[]) => Promise<readonly StoredResource[]>,
  ) {
    this.#read = read
  }

  read(kind: ResourceKind, id: string): Promise<StoredResource | null> {
    return new Promise((resolve, reject) => {
      const count = this.#asked.push({ kind, id, resolve, reject })
      if (count === 1) setImmediate(() => this.send())
    })
  }

  /** Sends what was asked at once. */
  send(): void {
    const asked = this.#asked
    if (asked.length === 0) return
    this.#asked = []
    this.#readTogether(asked).catch((error: Error) => {
      for (const { reject } of asked) reject(error)
    })
  }

  async #readTogether(asked: readonly AskedResource[]): Promise<void> {
    const found = await this.#read(asked)
    const byKey = new Map(found.map((resource) => [`${resource.kind} ${resource.id}`, resource]))
    for (const { kind, id, resolve } of asked) resolve(byKey.get(`${kind} ${id}`) ?? null)
  }
}
