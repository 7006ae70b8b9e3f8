// trials/run-trial-check.ts: runs one check once, in the runner and with the drivers of every check, and keeps what it saw
// on the way: its phases, the addresses that it reached, its assertions. One try: a retry would hide the first outcome.
import type { Socket } from 'node:net'
import { fact, type Observation, type Outcome, type Phase } from '../checks/driver.ts'
import { type Job, runCheck } from '../checks/runner.ts'
import type { Clock } from '../platform/clock.ts'
import { formatEndpoint } from '../platform/network/ip-address.ts'
import type { Network } from '../platform/network/network.ts'
import { watchConnect, watchResolve } from '../platform/network/watched-network.ts'

export interface PassedPhase {
  readonly phase: Phase
  /** Since the check began. */
  readonly atMs: number
}

export interface TriedCheck {
  readonly outcome: Outcome
  readonly phases: readonly PassedPhase[]
  readonly observations: readonly Observation[]
}

export interface TrialSurroundings {
  readonly network: Network
  readonly clock: Clock
  /** Ends the check as its deadline would. */
  readonly signal?: AbortSignal
}

export async function runTrialCheck(
  job: Pick<Job, 'driver' | 'config' | 'timeoutMs' | 'secrets'>,
  { network, clock, signal }: TrialSurroundings,
): Promise<TriedCheck> {
  const phases: PassedPhase[] = []
  const observations: Observation[] = []
  const beganMs = clock.monotonicMs()
  const resolved = () => phases.push({ phase: 'resolve', atMs: clock.monotonicMs() - beganMs })
  const connected = ({ remoteAddress, remotePort }: Socket) => {
    if (remoteAddress === undefined || remotePort === undefined) return
    observations.push(fact('address', formatEndpoint(remoteAddress, remotePort)))
  }
  const watched = watchConnect(watchResolve(network, resolved), connected)
  const whole: Job = {
    ...job,
    retries: 0,
    onPhase: (phase, atMs) => phases.push({ phase, atMs }),
    onObservation: (observation) => observations.push(observation),
  }
  const outcome = await new Promise<Outcome>((ended) => {
    const check = runCheck(whole, watched, clock, ended)
    if (signal?.aborted) check.stop()
    else signal?.addEventListener('abort', () => check.stop(), { once: true })
  })
  return { outcome, phases, observations }
}
