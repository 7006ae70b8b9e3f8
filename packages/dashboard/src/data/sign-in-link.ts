// data/sign-in-link.ts: signs in with the secret of a one-time link, which follows # in the address. It leaves the address
// before anything else happens, and is sent once, in the body of a request, when the page is really shown.
import { secretIn } from '@pulseward/contract'
import { createStore, useStore } from '../store.ts'
import { signIn } from './session.ts'

/** Why the last link signed nobody in; null if it did, or if there was none. */
const refusal = createStore<string | null>(null)

export function useLinkRefusal(): string | null {
  return useStore(refusal)
}

export function forgetLinkRefusal(): void {
  refusal.set(null)
}

/** To be called before anything is drawn. */
export function followSignInLinks(): void {
  follow()
  // A link that is opened over this page changes only its fragment.
  addEventListener('hashchange', follow)
}

function follow(): void {
  const secret = secretIn(location.hash)
  if (secret === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  void whenShown().then(async () => refusal.set(await signIn({ link: secret })))
}

/** A browser may load a page that nobody asked for yet. */
function whenShown(): Promise<void> {
  const { prerendering = false } = document as { prerendering?: boolean }
  if (!prerendering) return Promise.resolve()
  return new Promise((shown) =>
    document.addEventListener('prerenderingchange', () => shown(), { once: true }),
  )
}
