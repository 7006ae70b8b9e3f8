// notifier-scenarios/log.ts: what the log notifier meets in its contract: nobody but the log.
import type { Network } from '@pulseward/server/internal/platform/network/network.ts'
import type { NotifierScenarios } from '../notifier-contract.ts'
import { expects } from '../outbound-contract/scenarios.ts'

export async function logScenarios(): Promise<NotifierScenarios> {
  const lines: string[] = []
  return {
    // It must never be used.
    network: {} as Network,
    credentials: new Map(),
    secrets: [],
    peers: { accepting: expects('delivered', {}) },
    attempts: () => lines.length,
    openConnections: () => 0,
    lastShown: () => lines.at(-1)!,
    markup: null,
    log: (message) => void lines.push(message),
    async [Symbol.asyncDispose]() {},
  }
}
