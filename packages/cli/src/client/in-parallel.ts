// client/in-parallel.ts: processes many values with bounded concurrency. After the first failure it starts no others.

export async function inParallel<Value>(
  values: Iterable<Value>,
  most: number,
  work: (value: Value) => Promise<void>,
): Promise<void> {
  const waiting = Iterator.from(values)
  let hasFailed = false
  async function workOn(): Promise<void> {
    for (let next = waiting.next(); !next.done && !hasFailed; next = waiting.next()) {
      try {
        await work(next.value)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: most }, workOn))
}
