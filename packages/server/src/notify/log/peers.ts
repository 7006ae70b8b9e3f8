// notify/log/peers.ts: what the log notifier meets in its contract: only the log.
import { expects, type NotifierPeers } from '@pulseward/testing/notify'
import type { Network } from '../../platform/network/network.ts'

export async function startPeers(): Promise<NotifierPeers> {
  const lines: string[] = []
  return {
    // Must never be used.
    network: {} as Network,
    credentials: new Map(),
    secrets: [],
    encounters: { accepting: expects('accepted', {}) },
    attempts: () => lines.length,
    openConnections: () => 0,
    lastShown: () => lines.at(-1) ?? '',
    markup: null,
    log: (message) => void lines.push(message),
    async [Symbol.asyncDispose]() {},
  }
}
