// self-watch/dead-mans-switch.ts: calls an external address for as long as the service is ready, so that a third party
// notices when the service itself dies. A failing call is logged once, and once more when it works again; it changes
// nothing else. The address may contain a key and is never shown.
import { setTimeout as delay } from 'node:timers/promises'
import type { Network } from '../platform/network/network.ts'
import { type OutboundResult, sendOutbound } from '../platform/network/outbound-http.ts'
import type { Log } from '../telemetry/log.ts'

const timeoutMs = 10_000

export interface DeadMansSwitchOptions {
  readonly url: string
  readonly everyMs: number
  readonly network: Network
  readonly isReady: () => boolean
  readonly log: Log
}

export class DeadMansSwitch {
  readonly #options: DeadMansSwitchOptions
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>
  #fails = false

  constructor(options: DeadMansSwitchOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      if (this.#options.isReady()) this.#note(await this.#call())
      await delay(this.#options.everyMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #call(): Promise<OutboundResult> {
    const { network, url } = this.#options
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeoutMs)])
    return sendOutbound(network, { method: 'GET', url, headers: {}, body: null }, { signal, timeoutMs })
  }

  #note(result: OutboundResult): void {
    const { log } = this.#options
    if (this.#stopped.signal.aborted) return
    const problem = problemOf(result)
    if (problem !== null && !this.#fails) log.warn(`the outbound heartbeat does not arrive: ${problem}`)
    if (problem === null && this.#fails) log.info('the outbound heartbeat arrives again')
    this.#fails = problem !== null
  }
}

function problemOf(result: OutboundResult): string | null {
  if (result.kind !== 'answered') return result.reason
  return result.status >= 200 && result.status <= 299 ? null : `it was answered with ${result.status}`
}
