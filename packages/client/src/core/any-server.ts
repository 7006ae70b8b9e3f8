// core/any-server.ts: several addresses of one service, of which one process is active. A request goes to the one that
// answered last; it goes to the next only if it certainly was not carried out: no connection, or a process that stands by
// and says so. A write whose answer was lost is never sent again.
import { readText } from './bounded-body.ts'
import { neverLeft } from './failure.ts'

const maxRefusalBytes = 65_536

/** `urls` are without a trailing slash; requests are addressed to the first. */
export function fetchFromAny(urls: readonly string[], fetch: Send): Send {
  let preferred = 0
  return async (url, init) => {
    const path = url.slice(urls[0]!.length)
    let last: Outcome = { error: new TypeError('there is no server') }
    for (const [index, base] of inOrder(urls, preferred)) {
      last = await ask(fetch, `${base}${path}`, init)
      if ('refusal' in last || ('error' in last && neverLeft(last.error))) continue
      preferred = index
      break
    }
    if ('error' in last) throw last.error
    return 'refusal' in last ? last.refusal : last.answer
  }
}

type Send = (url: string, init: RequestInit) => Promise<globalThis.Response>

type Outcome =
  | { readonly answer: globalThis.Response }
  /** Of a process that stands by. */
  | { readonly refusal: globalThis.Response }
  | { readonly error: unknown }

async function ask(fetch: Send, url: string, init: RequestInit): Promise<Outcome> {
  try {
    const answer = await fetch(url, init)
    if (answer.status !== 503) return { answer }
    const text = await readText(answer.body, maxRefusalBytes).catch(() => '')
    const { status, statusText, headers } = answer
    // The body was read and decoded, so what described its bytes no longer applies.
    const kept = new Headers(headers)
    for (const name of ['content-encoding', 'content-length']) kept.delete(name)
    const again = new globalThis.Response(text, { status, statusText, headers: kept })
    return standsBy(text) ? { refusal: again } : { answer: again }
  } catch (error) {
    return { error }
  }
}

/** Readiness is no problem document, but says it too. */
function standsBy(text: string): boolean {
  try {
    const { code, reasons } = JSON.parse(text) as { readonly code?: unknown; readonly reasons?: unknown }
    return code === 'standby' || (Array.isArray(reasons) && reasons.includes('standby'))
  } catch {
    return false
  }
}

function* inOrder(urls: readonly string[], first: number): Iterable<readonly [index: number, url: string]> {
  for (let step = 0; step < urls.length; step++) {
    const index = (first + step) % urls.length
    yield [index, urls[index]!]
  }
}
