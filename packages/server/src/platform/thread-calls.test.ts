import { EventEmitter } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { answeredBy, callsTo, Moved, remote, type Thread, ThreadCalls } from './thread-calls.ts'

const errors = {
  pack: (error: unknown) => ({ words: (error as Error).message }),
  unpack: (packed: unknown) => new RangeError((packed as { words: string }).words),
}

/** Both sides in this thread; messages are copied and come in a later turn all the same. */
function bothSides(methods: object) {
  const { port1, port2 } = new MessageChannel()
  const near = new ThreadCalls(port1, { errors })
  const far = new ThreadCalls(port2, { answer: answeredBy(methods), errors })
  return { near, far, [Symbol.dispose]: () => port1.close() }
}

describe('calls between threads', () => {
  it('are answered, each by its own answer, in any order', async () => {
    const { promise: later, resolve } = Promise.withResolvers<string>()
    using sides = bothSides({ slow: () => later, fast: (word: string) => `${word}!` })
    const slow = sides.near.call('slow', [])
    expect(await sides.near.call('fast', ['now'])).toBe('now!')
    expect(sides.near.pending).toBe(1)
    resolve('later')
    expect(await slow).toBe('later')
    expect(sides.near.pending).toBe(0)
  })

  it('keep the object of their methods', async () => {
    class Counter {
      #count = 0
      add(more: number): number {
        this.#count += more
        return this.#count
      }
    }
    using sides = bothSides(new Counter())
    const counter = remote<{ add(more: number): Promise<number> }>(() => sides.near, ['add'])
    await counter.add(2)
    expect(await counter.add(3)).toBe(5)
  })

  it('are rejected by what the method threw, now or later, as its form makes it', async () => {
    using sides = bothSides({
      now() {
        throw new Error('no room')
      },
      later: () => Promise.reject(new Error('gone')),
    })
    await expect(sides.near.call('now', [])).rejects.toThrow(new RangeError('no room'))
    await expect(sides.near.call('later', [])).rejects.toThrow(new RangeError('gone'))
  })

  it('are rejected when the method is unknown, or its answer cannot be copied', async () => {
    using sides = bothSides({ now: () => () => 1, later: async () => () => 1 })
    await expect(sides.near.call('none', [])).rejects.toThrow(/not a function/)
    await expect(sides.near.call('now', [])).rejects.toThrow(/could not be cloned/)
    await expect(sides.near.call('later', [])).rejects.toThrow(/could not be cloned/)
  })

  it('are rejected when what is given cannot be copied, and wait for nothing', async () => {
    using sides = bothSides({})
    await expect(sides.near.call('now', [() => 1])).rejects.toThrow(/could not be cloned/)
    expect(sides.near.pending).toBe(0)
  })

  it('move what they are told to move, in both directions', async () => {
    const returned: Uint8Array[] = []
    using sides = bothSides({
      turn(bytes: Uint8Array) {
        returned.push(bytes)
        return new Moved(bytes, [bytes.buffer as ArrayBuffer])
      },
    })
    const bytes = new Uint8Array([1, 2])
    expect(await sides.near.call('turn', [bytes], [bytes.buffer])).toEqual(new Uint8Array([1, 2]))
    expect([bytes.byteLength, returned[0]?.byteLength]).toEqual([0, 0])
  })
})

class FakeThread extends EventEmitter<{ message: [unknown]; error: [Error]; exit: [] }> implements Thread {
  readonly sent: unknown[] = []
  postMessage(message: unknown): void {
    this.sent.push(message)
  }
}

describe('calls to a thread that is gone', () => {
  it('are refused at once, and what it still asks is not done', async () => {
    const done: string[] = []
    const thread = new FakeThread()
    const answer = (method: string) => void done.push(method)
    const calls = callsTo(thread, (crash) => new Error(`gone (${crash?.message ?? 'ended'})`), { answer })
    const waiting = calls.call('prepare', [])
    thread.emit('error', new Error('out of memory'))
    thread.emit('exit')
    await expect(waiting).rejects.toThrow('gone (out of memory)')
    await expect(calls.call('prepare', [])).rejects.toThrow('gone (out of memory)')
    thread.emit('message', { call: 1, method: 'lock', given: [] })
    thread.emit('message', { answer: 1, value: null })
    expect([done, calls.pending, thread.sent.length]).toEqual([[], 0, 1])
  })
})

describe('a method that answers at once', () => {
  it('is answered in the turn of its message', () => {
    const thread = new FakeThread()
    new ThreadCalls(thread, { answer: () => 7 })
    thread.emit('message', { call: 3, method: 'count', given: [] })
    expect(thread.sent).toEqual([{ answer: 3, value: 7 }])
  })
})

describe('a thread without a form for errors', () => {
  it.each(['now', 'later'])('ends by what it throws %s', async (method) => {
    using folder = temporaryFolder()
    const program = `
      import { parentPort } from 'node:worker_threads'
      import { answeredBy, ThreadCalls } from ${JSON.stringify(import.meta.resolve('./thread-calls.ts'))}
      const answer = answeredBy({
        now() { throw new Error('broken') },
        async later() { throw new Error('broken') },
      })
      new ThreadCalls(parentPort, { answer })
    `
    const worker = new Worker(folder.write('thread.mjs', program))
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    const calls = callsTo(worker, (crash) => new Error(`lost: ${crash?.message}`))
    await expect(calls.call(method, [])).rejects.toThrow('lost: broken')
    await exited
  })
})
