// data/connection.ts: whether the service answers, for the page as a whole. Any answer, even a refusal,
// proves the connection; the first request without an answer marks it lost, and the next answer restores it.
import { createStore, useStore } from '../store.ts'

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'lost'; readonly sinceMs: number }
  | { readonly state: 'signed-out' }

const connection = createStore<Connection>({ state: 'connecting' })
const lastAnswerAtMs = createStore<number | null>(null)

export function reportAnswer(atMs: number): void {
  lastAnswerAtMs.set(atMs)
  if (connection.get().state !== 'live') connection.set({ state: 'live' })
}

export function reportSilence(atMs: number): void {
  const { state } = connection.get()
  if (state === 'lost' || state === 'signed-out') return
  connection.set({ state: 'lost', sinceMs: lastAnswerAtMs.get() ?? atMs })
}

export function reportSignedOut(): void {
  connection.set({ state: 'signed-out' })
}

export function useConnection(): Connection {
  return useStore(connection)
}

/** By the browser's clock. */
export function useLastAnswerAtMs(): number | null {
  return useStore(lastAnswerAtMs)
}
