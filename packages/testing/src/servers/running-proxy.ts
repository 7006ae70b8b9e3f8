// servers/running-proxy.ts: a reverse proxy that terminates HTTPS for a service, configured as a document says. The lines
// that a test replaces, such as ports, must occur in it literally, so that document and test cannot drift apart.

export interface RunningProxy extends AsyncDisposable {
  readonly port: number
  /** Its certificate is for this name, signed by this authority. */
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
