// recovery/runner.ts: runs one recovery to its end, whatever the driver does. The deadline holds also for a driver that
// ignores it; one that fails by itself has done nothing if nothing had left, and otherwise nobody knows. No secret
// leaves in a reason. Programs can be started only through here, and only where the settings allow it.
import { spawn } from 'node:child_process'
import { connectLocal } from '../platform/network/local-socket.ts'
import type { Network } from '../platform/network/network.ts'
import { type CallEnd, errorInWords, runCall } from '../platform/network/outbound-call.ts'
import { NotSent } from '../platform/network/outbound-connect.ts'
import { withoutSecrets } from '../platform/redaction/redaction.ts'
import { durationInWords } from '../platform/wording.ts'
import {
  type Intervention,
  type RecoveryDriver,
  type RecoveryVerdict,
  rejected,
  type StartProgram,
  unknown,
} from './driver.ts'

export interface RecoveryJob {
  readonly driver: RecoveryDriver
  /** With credentials in place. */
  readonly config: Record<string, unknown>
  readonly intervention: Intervention
  readonly timeoutMs: number
  /** Values that must not be seen in any text that comes back. */
  readonly secrets: readonly string[]
}

export interface RecoveryMeans {
  readonly network: Network
  /** The setting recovery.allow_command. */
  readonly allowCommand: boolean
}

/** Never rejects, and ends within the timeout and a grace of 30 ms. */
export async function runRecovery(job: RecoveryJob, means: RecoveryMeans): Promise<RecoveryVerdict> {
  const { driver, config, intervention, timeoutMs, secrets } = job
  const end = await runCall(means.network, timeoutMs, ({ network, signal, departs }) => {
    const startProgram: StartProgram = (program, programArguments, options) => {
      departs()
      return spawn(program, programArguments, { ...options, shell: false })
    }
    return driver.recover(config, intervention, {
      network,
      timeoutMs,
      signal,
      startProgram: means.allowCommand ? startProgram : null,
      async connectLocal(path) {
        const socket = await connectLocal(path, { signal, timeoutMs })
        if (!(socket instanceof NotSent)) departs()
        return socket
      },
    })
  })
  const verdict = verdictOf(end, timeoutMs)
  return verdict.kind === 'accepted'
    ? verdict
    : { ...verdict, reason: withoutSecrets(verdict.reason, secrets) }
}

function verdictOf(end: CallEnd<RecoveryVerdict>, timeoutMs: number): RecoveryVerdict {
  switch (end.kind) {
    case 'gave':
      return isVerdict(end.value) ? end.value : unknown('the recovery itself failed: it gave no verdict')
    case 'threw': {
      const reason = `the recovery itself failed: ${errorInWords(end.error)}`
      return end.mayHaveLeft ? unknown(reason) : rejected(reason)
    }
    case 'overran': {
      const reason = `no verdict within ${durationInWords(timeoutMs)}; the recovery did not stop by itself`
      return end.mayHaveLeft ? unknown(reason) : rejected(reason)
    }
  }
}

/** Types end where a driver's library begins. */
function isVerdict(value: RecoveryVerdict | null | undefined): value is RecoveryVerdict {
  if (typeof value !== 'object' || value === null) return false
  if (value.kind === 'accepted') return true
  return (value.kind === 'rejected' || value.kind === 'unknown') && typeof value.reason === 'string'
}
