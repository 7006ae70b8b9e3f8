// testing/eventually.ts: waits for a condition. The deadline only ends a test that would never pass on any machine.
import { vi } from 'vitest'

const generously = { timeout: 300_000, interval: 10 }

/** Retries until it no longer throws. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, generously)
}

/** Polls until the answer is true. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isTrue, generously)
}
