// bench/growing-columns.ts: loaded into a service before anything else (--import): records the growable shared buffers,
// which a heap snapshot does not contain, by the class that made them. Writes the record when a snapshot is taken.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const pageBytes = 4096
const emptyPage = Buffer.alloc(pageBytes)
const file = process.env['PULSEWARD_BENCH_COLUMNS']
const made: { readonly buffer: WeakRef<SharedArrayBuffer>; readonly maker: string }[] = []

if (isMainThread && file !== undefined) {
  globalThis.SharedArrayBuffer = new Proxy(SharedArrayBuffer, {
    construct(kind, words, newTarget) {
      const buffer = Reflect.construct(kind, words, newTarget) as SharedArrayBuffer
      if (buffer.growable) made.push({ buffer: new WeakRef(buffer), maker: makerOf(new Error().stack ?? '') })
      return buffer
    },
  })
  process.on('SIGUSR2', () => {
    const bytesOf: Record<string, number> = {}
    for (const { buffer, maker } of made)
      bytesOf[maker] = (bytesOf[maker] ?? 0) + writtenBytes(buffer.deref())
    writeFileSync(file, JSON.stringify(bytesOf))
  })
}

/** Pages with content: a page that was never written takes no memory. */
function writtenBytes(buffer: SharedArrayBuffer | undefined): number {
  if (buffer === undefined) return 0
  let bytes = 0
  for (let start = 0; start < buffer.byteLength; start += pageBytes) {
    const page = Buffer.from(buffer, start, Math.min(pageBytes, buffer.byteLength - start))
    if (!page.equals(emptyPage.subarray(0, page.length))) bytes += page.length
  }
  return bytes
}

/** The nearest class on the stack. */
function makerOf(stack: string): string {
  const callers = [...stack.matchAll(/^ +at (?:async |new )?([A-Z]\w*)/gm)].map(([, name = '']) => name)
  return callers.find((name) => !['Object', 'Array', 'Proxy'].includes(name)) ?? 'a function'
}
