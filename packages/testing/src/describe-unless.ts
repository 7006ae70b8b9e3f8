// testing/describe-unless.ts: tests that cannot run everywhere. If they cannot run, they count as skipped,
// and the reason is printed at the end of the run.
import { describe } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Why the tests in it were skipped, and what to do to run them. */
    skipReason?: string
  }
}

/** Like `describe`, unless there is a reason not to run the tests. */
export function describeUnless(
  reason: string | null,
  name: string,
  tests: () => void,
  tags: string[] = [],
): void {
  if (reason === null) describe(name, { tags }, tests)
  else describe(name, { tags, skip: true, meta: { skipReason: reason } }, tests)
}
