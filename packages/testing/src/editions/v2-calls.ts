// editions/v2-calls.ts: how every operation of v2 is called so that the served edition answers it, for the tests
// that hold the edition against the contract. What is not built yet is named here, once: the list can only shrink.
import { v2 } from '@pulseward/contract'
import type { ServedNext, V2Call } from './served-next.ts'

export const notBuilt: readonly v2.OperationName[] = [
  'AcknowledgeIncident',
  'DismissIncident',
  'ReopenIncident',
  'SnoozeMonitor',
  'UnsnoozeMonitor',
  'RecoverMonitor',
  'ReviewAction',
  'PreflightCollection',
  'CreateOperation',
  'UploadOperation',
  'ValidateOperation',
  'ActivateOperation',
  'CancelOperation',
]

export const needExternalJobs = v2.operationNames.filter((name) => !v2.defaultOperationNames.includes(name))
export const served = v2.defaultOperationNames.filter((name) => !notBuilt.includes(name))

const specs = {
  Monitor: {
    check: { driver: { type: 'http', config: { url: 'http://shop.test/' } }, interval: '10s', timeout: '5s' },
  },
  NotificationEndpoint: { type: 'log', config: {} },
  NotificationGroup: { endpointRefs: ['the-endpoint'] },
  Credential: { value: 'a value that nobody sees' },
} as const

export type Kind = keyof typeof specs
export const kinds = Object.keys(specs) as Kind[]

export function documentOf(kind: Kind, id: string, spec: object = specs[kind]) {
  return { apiVersion: v2.apiVersion, kind, metadata: { id, name: `The ${id}` }, spec }
}

/** The kind of resource that an operation is about. */
export function kindOf(name: v2.OperationName): Kind | null {
  return kinds.find((kind) => name.endsWith(kind) || name.endsWith(`${kind}s`)) ?? null
}

/** Right calls against a service that is served; resources are made for each of them. */
export class V2Calls {
  readonly next: ServedNext
  #made = 0

  private constructor(next: ServedNext) {
    this.next = next
  }

  static async begin(next: ServedNext): Promise<V2Calls> {
    const calls = new V2Calls(next)
    await calls.create('NotificationEndpoint', 'the-endpoint')
    return calls
  }

  /** The version of a new resource, as If-Match takes it. */
  async create(kind: Kind, id: string, spec?: object): Promise<string> {
    const response = await this.next.call(`Create${kind}`, {
      body: documentOf(kind, id, spec),
      headers: { 'if-none-match': '*' },
    })
    if (response.status !== 201) throw new Error(`${kind} ${id}: ${await response.text()}`)
    return response.headers.get('etag') ?? ''
  }

  newId(): string {
    return `made-${++this.#made}`
  }

  /** What an operation is called with to succeed. */
  async rightCall(name: v2.OperationName): Promise<V2Call> {
    const kind = kindOf(name) ?? 'Monitor'
    const id = this.newId()
    switch (name.replace(kind, '')) {
      case 'Create':
        return { body: documentOf(kind, id), headers: { 'if-none-match': '*' } }
      case 'Get':
        await this.create(kind, id)
        return { id }
      case 'Replace':
        return { id, headers: await this.#ifMatch(kind, id), body: documentOf(kind, id) }
      case 'Patch':
        return { id, headers: await this.#ifMatch(kind, id), body: { metadata: { labels: { team: 'a' } } } }
      case 'Delete':
        return { id, headers: await this.#ifMatch(kind, id) }
      case 'GetIncident':
        return { id: await this.#firstId('ListIncidents') }
      case 'GetAction':
        return { id: await this.#firstId('ListActions') }
      case 'GetOperation':
        return { id: await this.#operation(kind, id) }
      case 'ExplainResource':
        return { id: 'check.http' }
      default:
        return {}
    }
  }

  async #ifMatch(kind: Kind, id: string): Promise<Record<string, string>> {
    return { 'if-match': await this.create(kind, id) }
  }

  async #operation(kind: Kind, id: string): Promise<string> {
    const body = documentOf(kind, id)
    const created = await this.next.call(`Create${kind}`, { body, headers: { 'if-none-match': '*' } })
    return created.headers.get('x-operation-id') ?? ''
  }

  async #firstId(list: 'ListIncidents' | 'ListActions'): Promise<string> {
    const { items } = (await (await this.next.call(list)).json()) as v2.IncidentList | v2.ActionList
    return items[0]?.id ?? ''
  }
}
