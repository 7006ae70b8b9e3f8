// platform/network/abandon.ts: lets go of work that other callers share and that must therefore run on, such as a
// lookup that many wait for.
import { type Abandon, ConnectError } from './network.ts'

/** The promise's own end, or a rejection with code ABORTED and the given words as soon as abandon stops. */
export function untilStopped<Value>(
  shared: Promise<Value>,
  abandon: Abandon | undefined,
  words: string,
): Promise<Value> {
  if (abandon === undefined) return shared
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      letGo()
      reject(new ConnectError('ABORTED', words, 'local'))
    }
    // What comes after this step may have set its own stop already.
    const letGo = (): void => {
      if (abandon.onStop === stop) abandon.onStop = undefined
    }
    abandon.onStop = stop
    shared.then(
      (value) => {
        letGo()
        resolve(value)
      },
      (error) => {
        letGo()
        reject(error)
      },
    )
  })
}
