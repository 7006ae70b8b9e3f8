import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

it('gives back what was thrown away, seldom, and only when it is worth it', async () => {
  const file = join(import.meta.dirname, 'give-back-memory.ts')
  // In a separate thread: the heap of the tests is larger than those that HeapKeeper collects. Only requested
  // collections are counted, since the runtime may collect by itself at any time.
  const program = `
    const { constants, PerformanceObserver } = require('node:perf_hooks')
    const { parentPort } = require('node:worker_threads')
    const { getHeapStatistics } = require('node:v8')
    const { setTimeout: sleep } = require('node:timers/promises')
    const { runInNewContext } = require('node:vm')
    const used = () => getHeapStatistics().used_heap_size / 2 ** 20
    let kept = []
    function keepTwelveMegabytes() {
      for (let one = 0; one < 12; one++) kept.push(new Array(2 ** 17).fill(0.5))
      // What has just been made stays young until the nursery is collected, twice.
      const collect = runInNewContext('gc')
      for (let time = 0; time < 2; time++) collect({ type: 'minor', execution: 'sync' })
    }
    let asked = 0
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) {
        const isMajor = detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
        if (isMajor && detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) asked++
      }
    })
    /** Those before may still be told of. */
    async function askedBy(look) {
      await sleep(100)
      asked = 0
      look()
      await sleep(100)
      return asked
    }
    import(${JSON.stringify(file)}).then(async ({ giveBackMemory, HeapKeeper }) => {
      giveBackMemory()
      observer.observe({ entryTypes: ['gc'] })
      const keeper = new HeapKeeper(0)
      keepTwelveMegabytes()
      const tooEarly = await askedBy(() => keeper.look(29_999))
      const grown = await askedBy(() => keeper.look(30_000))
      const notWorthIt = await askedBy(() => keeper.look(60_000))
      keepTwelveMegabytes()
      const full = used()
      kept = null
      keeper.look(90_000)
      parentPort.postMessage({ tooEarly, grown, notWorthIt, full, after: used() })
    })`
  const worker = new Worker(program, { eval: true })
  const [seen] = await once(worker, 'message')
  expect(seen).toMatchObject({ tooEarly: 0, grown: 1, notWorthIt: 0 })
  expect(seen.after).toBeLessThan(seen.full - 20)
})
