// checks/http/status.ts: which statuses the configuration accepts.
import type { Expectation } from './expectation.ts'

/** Without a list: 200 to 299. */
export function isExpectedStatus(expected: Expectation['status'], status: number): boolean {
  if (expected === undefined) return status >= 200 && status <= 299
  return expected.some((one) =>
    typeof one === 'number'
      ? one === status
      : Number(one.slice(0, 3)) <= status && status <= Number(one.slice(4)),
  )
}

export function statusProblem(expected: Expectation['status'], status: number): string | null {
  if (isExpectedStatus(expected, status)) return null
  return `status ${status}, expected ${expectedInWords(expected)}`
}

export function expectedInWords(expected: Expectation['status']): string {
  const names = (expected ?? ['200-299']).map(String)
  const shown = names.length > 5 ? [...names.slice(0, 5), '…'] : names
  return shown.join(' or ')
}
