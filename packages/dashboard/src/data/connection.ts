// data/connection.ts: whether the service answers, for the page as a whole. Any answer, even a refusal, and any beat of
// the event stream proves the connection; the first request without an answer marks it lost, and the next answer
// restores it. A frozen service answers nothing and refuses nothing: while the stream beats, two missed beats without
// an answer mark the connection late, and five mark it lost.
import { createStore, useStore } from '../store.ts'

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'late' }
  | { readonly state: 'lost'; readonly sinceMs: number }
  | { readonly state: 'signed-out' }

export const connection = createStore<Connection>({ state: 'connecting' })
const lastAnswerAtMs = createStore<number | null>(null)

/** Half a beat more, because a beat may be late without being missed. */
const lateAfterBeats = 2.5
const lostAfterBeats = 5.5
/** Null while no beats are expected. */
let beatEveryMs: number | null = null
let lateTimer: ReturnType<typeof setTimeout> | undefined
let lostTimer: ReturnType<typeof setTimeout> | undefined

export function reportAnswer(atMs: number): void {
  lastAnswerAtMs.set(atMs)
  if (connection.get().state !== 'live') connection.set({ state: 'live' })
  expectBeat()
}

/** The next beat is due after this time. */
export function reportBeat(everyMs: number, atMs: number): void {
  beatEveryMs = everyMs
  reportAnswer(atMs)
}

/** The stream was closed or has ended: its silence means nothing. */
export function endBeats(): void {
  beatEveryMs = null
  expectBeat()
}

function expectBeat(): void {
  clearTimeout(lateTimer)
  clearTimeout(lostTimer)
  if (beatEveryMs === null) return
  lateTimer = setTimeout(reportLate, lateAfterBeats * beatEveryMs)
  lostTimer = setTimeout(() => reportSilence(Date.now()), lostAfterBeats * beatEveryMs)
}

function reportLate(): void {
  if (connection.get().state === 'live') connection.set({ state: 'late' })
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
