// platform/thread-answer.ts: the single answer of a thread that was started for one task.
import type { Worker } from 'node:worker_threads'

/** Rejects if the thread fails, or ends without an answer. */
export function answerOf<Answer>(thread: Worker): Promise<Answer> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`its thread ended with code ${code} and no answer`)))
  })
}
