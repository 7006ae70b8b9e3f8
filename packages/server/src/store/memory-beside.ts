// store/memory-beside.ts: access to a store in memory, in the thread that owns it.
import { canonicalJson } from '../platform/json/canonical-json.ts'
import type { StoreBeside } from './beside.ts'
import { MemoryStaging } from './memory-staging.ts'
import type { StoredResource } from './resource.ts'
import type { ReadKey, ReadResource } from './resource-reader.ts'

export function besideMemory(find: (...key: ReadKey) => StoredResource | null): StoreBeside {
  return {
    resources: {
      async read(keys) {
        return keys.map((key) => {
          const found = find(...key)
          return found === null ? null : readOf(found)
        })
      },
    },
    staging: new MemoryStaging(),
    [Symbol.dispose]() {},
  }
}

function readOf({ change, uid, generation, createdAt, name, labels, spec }: StoredResource): ReadResource {
  return { change, uid, generation, createdAt, name, labels: canonicalJson(labels), spec }
}
