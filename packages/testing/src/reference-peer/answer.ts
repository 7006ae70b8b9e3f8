// reference-peer/answer.ts: the answer that the reference peer is about to send. A misbehaviour may send another.

export interface PeerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const requestId = 'req-of-the-peer'

export function jsonAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  data: unknown,
): PeerAnswer {
  return {
    status,
    headers: { 'X-Request-ID': requestId, 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(data),
  }
}

export function problemAnswer(
  status: number,
  code: string,
  more: { detail?: string; headers?: Readonly<Record<string, string>>; errors?: unknown } = {},
): PeerAnswer {
  const { detail = `the peer answers ${code}`, headers = {}, errors } = more
  const problem = {
    type: `urn:pulseward:problem:${code}`,
    status,
    code,
    detail,
    requestID: requestId,
    errors,
  }
  return jsonAnswer(status, { 'Content-Type': 'application/problem+json', ...headers }, problem)
}
