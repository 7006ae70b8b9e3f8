// servers/running-proxy.ts: a reverse proxy that speaks https for a service, set up as a document describes it. What a test
// has to change in that, such as ports, must be in it word by word, so that document and test cannot drift apart.

export interface RunningProxy extends AsyncDisposable {
  readonly port: number
  /** Its certificate is for this name, by this authority. */
  readonly certifiedName: string
  readonly authority: string
}

export function adapt(documented: string, changes: Readonly<Record<string, string>>): string {
  let text = documented
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`the documented configuration has no “${from}”`)
    text = text.replaceAll(from, to)
  }
  return text
}
