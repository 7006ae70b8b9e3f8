import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

it('gives back what was thrown away, seldom, and only when it is worth it', async () => {
  const file = join(import.meta.dirname, 'give-back-memory.ts')
  // In a thread of its own: the heap of the tests is larger than one that is looked after.
  const program = `
    const { parentPort } = require('node:worker_threads')
    const { getHeapStatistics } = require('node:v8')
    const used = () => getHeapStatistics().used_heap_size / 2 ** 20
    import(${JSON.stringify(file)}).then(({ giveBackMemory, HeapKeeper }) => {
      giveBackMemory()
      const keeper = new HeapKeeper(0)
      let thrownAway = Array.from({ length: 12 }, () => new Array(2 ** 17).fill(0.5))
      thrownAway = null
      const full = used()
      keeper.look(29_999)
      const tooEarly = used()
      keeper.look(30_000)
      parentPort.postMessage({ full, tooEarly, after: used() })
    })`
  const [{ full, tooEarly, after }] = await once(new Worker(program, { eval: true }), 'message')
  expect(tooEarly).toBeGreaterThanOrEqual(full - 1)
  expect(after).toBeLessThan(full - 8)
})
