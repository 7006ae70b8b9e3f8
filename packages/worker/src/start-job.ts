// start-job.ts: asks for the grant of one offer. If no answer comes, asks again while the lease lasts. That
// is safe, because a repeated start is granted only if the first one never arrived.

import { setTimeout as delay } from 'node:timers/promises'
import type { v2 } from '@pulseward/client'
import type { Counters } from './counters.ts'
import type { Refused } from './http-caller.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import type { Service } from './service.ts'

export interface Started {
  /** False if an earlier start of ours was granted, but its answer was lost. */
  readonly isGranted: boolean
  readonly grantID: string
  readonly deadline: string
}

interface Parts {
  readonly service: Service
  readonly log: Log
  readonly counters: Counters
}

const betweenMs = 300
const known: readonly string[] = ['granted', 'started', 'pending', 'unknown', 'terminal', 'rejected']

/** Null if there is nothing to do and nothing to report. */
export async function askToStart(parts: Parts, offer: v2.Assignment): Promise<Started | null> {
  const { executionID, leaseID, executionRevision } = offer
  const leaseEndsAt = performance.now() + limits.startLeaseSeconds * 1000
  let mayBeLost = false
  for (;;) {
    const answer = await parts.service.start({ executionID, leaseID, executionRevision })
    const isOver = performance.now() + betweenMs >= leaseEndsAt
    if (answer.ok) {
      const { disposition, grantID, deadline } = answer.body
      mayBeLost ||= answer.isRepeated
      if (disposition === 'granted') return { isGranted: true, grantID, deadline }
      if (disposition === 'started' && mayBeLost && grantID !== '')
        return { isGranted: false, grantID, deadline }
      if (disposition !== 'pending' || isOver) return notGranted(parts, executionID, disposition)
    } else {
      if (!isWorthAsking(answer) || isOver) return notGranted(parts, executionID, answer.message)
      mayBeLost = true
    }
    await delay(betweenMs)
  }
}

function isWorthAsking({ status }: Refused): boolean {
  return status === 0 || status === 408 || status === 429 || (status >= 500 && status !== 501)
}

function notGranted({ counters, log }: Parts, executionID: string, reason: string): null {
  counters.notGranted++
  // It is usual that another worker was faster or that the lease has expired. An unknown disposition is not.
  const isUsual = known.includes(reason)
  const tell = isUsual ? log.debug : log.warn
  tell('A start was not granted; the job is not run.', { executionID, reason })
  return null
}
