// crash/crash-receivers.ts: the providers: one loopback server that receives notifications and recovery
// calls. It records each complete call, and answers with a success, late, with a refusal or not at all.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import type { Random } from '../random.ts'

/** A call that arrived, whatever the answer was. */
export interface Receipt {
  readonly kind: 'code' | 'intervention'
  readonly actionId: string
  readonly monitorId: string
  readonly endpoint: string
  /** It was answered that it should be sent again. */
  readonly isRefused: boolean
  /** Which message of which page it is; null if it is not about a page. */
  readonly page: { readonly id: string; readonly stage: string; readonly key: string } | null
}

interface Body {
  readonly action_id: string
  readonly monitor_id: string
  /** When it was decided. */
  readonly at: string
  readonly page?: Readonly<Record<'id' | 'stage', string>> & Readonly<Record<'round' | 'step', number>>
}

const answers = { well: 85, late: 10, refusal: 4, none: 1 }
const lateMs = [20, 400] as const

export class CrashReceivers implements AsyncDisposable {
  readonly url: string
  readonly receipts: Receipt[] = []
  /** Called before a recovery call is answered. */
  onRecovery: (monitorId: string, decidedMs: number) => void = () => undefined
  readonly #server: Server
  readonly #random: Random
  #isCalm = false

  private constructor(server: Server, random: Random) {
    this.#server = server
    this.#random = random
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => {
      // A request that was cut off by a kill does not count as a call.
      this.#receive(request, response).catch(() => response.destroy())
    })
  }

  static async start(random: Random): Promise<CrashReceivers> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new CrashReceivers(server, random)
  }

  /** From now on every call succeeds at once. */
  calmDown(): void {
    this.#isCalm = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { action_id: actionId, monitor_id: monitorId, at, page } = JSON.parse(await text(request)) as Body
    const kind = request.url!.startsWith('/recover/') ? 'intervention' : 'code'
    const answer = this.#isCalm ? 'well' : this.#random.weighted(answers)
    this.receipts.push({
      ...{ kind, actionId, monitorId, isRefused: answer === 'refusal' },
      endpoint: request.url!.slice(request.url!.lastIndexOf('/') + 1),
      page: page === undefined ? null : { id: page.id, stage: page.stage, key: `${page.round} ${page.step}` },
    })
    if (kind === 'intervention') this.onRecovery(monitorId, Date.parse(at))
    await this.#answer(response, answer)
  }

  async #answer(response: ServerResponse, answer: keyof typeof answers): Promise<void> {
    if (answer === 'none') return void response.destroy()
    if (answer === 'late') await after(this.#random.between(...lateMs))
    response.writeHead(answer === 'refusal' ? 503 : 204).end()
  }
}
