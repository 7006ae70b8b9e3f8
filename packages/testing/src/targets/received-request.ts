// targets/received-request.ts: a request as HttpTarget recorded it, parsed.
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  /** By lower-cased name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export function readRequest(raw: string): ReceivedRequest {
  const headEnd = raw.indexOf('\r\n\r\n')
  const [requestLine = '', ...lines] = raw.slice(0, headEnd).split('\r\n')
  const [method = '', path = ''] = requestLine.split(' ')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  // Each recorded character is one byte.
  const body = Buffer.from(raw.slice(headEnd + 4), 'latin1').toString('utf8')
  return { method, path, headers: new Map(headers), body }
}
