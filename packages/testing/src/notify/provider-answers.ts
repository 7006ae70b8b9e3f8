// notify/provider-answers.ts: answers of providers, for tests of how drivers classify them, and the length of
// a text as providers count it.
import type { OutboundAnswer } from '@pulseward/server/internal/platform/network/outbound-http.ts'

export function answered(
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
): OutboundAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answered', status, headers, body: text, isWhole: true }
}

/** The same, but the connection ended in the middle of the answer. */
export function brokenOff(status: number): OutboundAnswer {
  return { ...answered(status, '{"re'), isWhole: false }
}

export function codePoints(text: string): number {
  return Array.from(text).length
}
