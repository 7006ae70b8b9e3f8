// recovery/driver.ts: what a recovery is. A driver is one folder and one line in the registry. It acts once and returns
// the outcome: accepted, rejected or unknown. It never retries. The budget, the rule of one action at a time per target,
// and the ledger are stages around it. A driver never throws for anything that the other side does.
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Static, TObject } from 'typebox'
import { type ActionOutcome, rejected, unknown } from '../platform/action-outcome.ts'
import type { Network } from '../platform/network/network.ts'
import type { NotSent } from '../platform/network/outbound-connect.ts'
import type { OutboundAnswer, OutboundResult } from '../platform/network/outbound-http.ts'

/** Why something is to be recovered. Texts are unchanged. */
export interface Intervention {
  readonly monitorId: string
  readonly monitor: string
  readonly actionId: string
  /** Usually null: an incident opens only if the recovery did not help. */
  readonly incidentId: string | null
  /** What the check observed, in words. */
  readonly seen: string | null
  /** Epoch milliseconds of the decision to act. */
  readonly atMs: number
  /** Where to see more, if the service's public address is configured. */
  readonly link: string | null
}

/** Starts a program with an argument vector, never through a shell. */
export type StartProgram = (
  program: string,
  programArguments: readonly string[],
  options: Omit<SpawnOptions, 'shell'>,
) => ChildProcess

/** What a driver gets for one recovery. */
export interface RecoveryRun {
  readonly network: Network
  readonly timeoutMs: number
  /** Aborts at the deadline. */
  readonly signal: AbortSignal
  /** Null unless the setting recovery.allow_command allows it. */
  readonly startProgram: StartProgram | null
  /** Connects to the socket of a service on this machine. The driver closes it. */
  connectLocal(path: string): Promise<Socket | NotSent>
}

export interface ConfigMistake {
  readonly path: readonly (string | number)[]
  readonly message: string
}

export interface RecoveryDriver<Schema extends TObject = TObject> {
  readonly summary: string
  readonly config: Schema
  /** Mistakes that the schema cannot express, in a configuration that fits it. */
  inspect?(config: Static<Schema>): readonly ConfigMistake[]
  /** Whether it acts on the machine that the service runs on, with the service's rights. */
  actsHere?(config: Static<Schema>): boolean
  /** For display: contains nothing that would let a reader act. */
  target(config: Static<Schema>): string
  /** Equal for configurations that act on the same thing: only one of them runs at a time. Never shown. */
  targetKey(config: Static<Schema>): string
  recover(config: Static<Schema>, intervention: Intervention, run: RecoveryRun): Promise<ActionOutcome>
}

export function defineRecovery<Schema extends TObject>(
  driver: RecoveryDriver<Schema>,
): RecoveryDriver<Schema> {
  return driver
}

/**
 * Statuses of a gateway (502, 504, and Cloudflare's 520 and 524): it passed the request on and got no answer
 * that it understood, so the action may have run. 500 and 503 come from the other side itself.
 */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 504, 520, 524])

export function isGatewayAnswer(status: number): boolean {
  return GATEWAY_STATUSES.has(status)
}

/** A request that was not sent did nothing. One that was not answered may have been carried out. */
export function classifyResult(
  result: OutboundResult,
  classifyResponse: (answer: OutboundAnswer) => ActionOutcome,
): ActionOutcome {
  switch (result.kind) {
    case 'not-sent':
      return rejected(result.reason)
    case 'no-answer':
      return unknown(result.reason)
    case 'answered':
      return classifyResponse(result)
  }
}
