// recovery/runner.ts: runs one recovery to its end, whatever the driver does: the deadline also holds for a
// driver that ignores it, and no secret leaks through a reason. Programs can be started only through here,
// and only if the settings allow it.
import { spawn } from 'node:child_process'
import type { ActionOutcome } from '../platform/action-outcome.ts'
import { connectLocal } from '../platform/network/local-socket.ts'
import type { Network } from '../platform/network/network.ts'
import { type ActionCall, runAction } from '../platform/network/outbound-call.ts'
import { NotSent } from '../platform/network/outbound-connect.ts'
import type { Intervention, RecoveryDriver, StartProgram } from './driver.ts'

export interface RecoveryJob extends Pick<ActionCall, 'timeoutMs' | 'secrets'> {
  readonly driver: RecoveryDriver
  /** With credentials filled in. */
  readonly config: Record<string, unknown>
  readonly intervention: Intervention
}

export interface RecoveryMeans {
  readonly network: Network
  /** The setting recovery.allow_command. */
  readonly allowCommand: boolean
}

/** Never rejects, and ends within the timeout plus a grace of 30 ms. */
export function runRecovery(
  { driver, config, intervention, timeoutMs, secrets }: RecoveryJob,
  { network, allowCommand }: RecoveryMeans,
): Promise<ActionOutcome> {
  return runAction(
    { noun: 'recovery', network, timeoutMs, secrets },
    ({ signal, departs, network: watched }) => {
      const startProgram: StartProgram = (program, programArguments, options) => {
        departs()
        return spawn(program, programArguments, { ...options, shell: false })
      }
      return driver.recover(config, intervention, {
        network: watched,
        timeoutMs,
        signal,
        startProgram: allowCommand ? startProgram : null,
        async connectLocal(path) {
          const socket = await connectLocal(path, { signal, timeoutMs })
          if (!(socket instanceof NotSent)) departs()
          return socket
        },
      })
    },
  )
}
