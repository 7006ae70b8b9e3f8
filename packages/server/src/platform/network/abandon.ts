// platform/network/abandon.ts: lets a caller give up work that others share and that must therefore continue,
// such as a lookup with several callers.
import { type Abandon, ConnectError } from './network.ts'

/** Settles like the promise, or rejects with code ABORTED and the given words as soon as abandon stops. */
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
    // The next step may have set its own stop already.
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
