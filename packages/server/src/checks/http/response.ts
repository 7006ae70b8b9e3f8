// checks/http/response.ts: what assertions see of a response, whichever protocol version it came over.

/** Alternating header names and values, as received. Names keep their case, so use headerValues to look them up. */
export type HeaderList = readonly string[]

export interface Response {
  readonly status: number
  readonly headers: HeaderList
  /** As transferred, still content-encoded; empty if it was not wanted. */
  readonly body: Buffer
  /** The body went on past max_body_bytes. */
  readonly bodyCut: boolean
}

/** Says, once status and headers are known, whether the body is needed to decide. */
export type BodyWanted = (status: number, headers: HeaderList) => boolean

/** Every value of one header. The name must be in lower case. */
export function headerValues(headers: HeaderList, lowerCaseName: string): string[] {
  const values: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!
    if (name.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) {
      values.push(headers[index + 1]!)
    }
  }
  return values
}
