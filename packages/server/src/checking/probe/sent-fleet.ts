// checking/probe/sent-fleet.ts: how much of the fleet was sent to the probe threads, so that a change of
// single monitors sends only what is new. Memory that the threads share with the engine needs no message.
import type { MoreOfFleet, ProbeFleet } from './probe-protocol.ts'

export interface SentFleet {
  readonly starts: Uint32Array
  readonly chunks: number
  readonly policiesOf: Uint32Array
  readonly policies: number
}

export function sentFleet({ configs, policies }: ProbeFleet): SentFleet {
  const { starts, chunks } = configs
  return { starts, chunks: chunks.length, policiesOf: policies.of, policies: policies.values.length }
}

export function moreOf({ configs, policies }: ProbeFleet, sent: SentFleet | null): MoreOfFleet {
  const hasConfigs = sent?.starts === configs.starts && sent.chunks === configs.chunks.length
  return {
    configs: hasConfigs ? null : configs,
    policiesOf: sent?.policiesOf === policies.of ? null : policies.of,
    policies: policies.values.slice(sent?.policies ?? 0),
  }
}
