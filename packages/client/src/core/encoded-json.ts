// core/encoded-json.ts: a body that the caller has already encoded as JSON, for bodies so large that encoding them twice
// would be noticeable. It is sent unchanged; the caller vouches that it is what the operation takes.

export class EncodedJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Used in place of a body: `client.uploadOperation({ id, body: encodedJson(text) })`. */
export function encodedJson<Body>(text: string): Body {
  return new EncodedJson(text) as Body
}
