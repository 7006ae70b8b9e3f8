// core/encoded-json.ts: a body that its caller has written as JSON already, for those who send so much that writing it
// twice would be noticed. It is sent as it is; that it is what the operation takes is the caller's word.

export class EncodedJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Stands for a body: `client.uploadOperation({ id, body: encodedJson(text) })`. */
export function encodedJson<Body>(text: string): Body {
  return new EncodedJson(text) as Body
}
