// editions/v2-calls.ts: a valid call of every operation of v2, for the tests that check the served edition
// against the contract. Controls need a fleet in which they have an effect: an open incident of a monitor
// with a recovery, and a notification of unknown outcome, as in troubledFleet().
import { v2 } from '@pulseward/contract'
import type { Job } from '@pulseward/server/internal/external-workers/job.ts'
import { until } from '../eventually.ts'
import type { ServedNext, V2Call } from './served-next.ts'

export const needExternalJobs = v2.operationNames.filter((name) => !v2.defaultOperationNames.includes(name))
/** Settings of a service that serves every operation. */
export const withExternalJobs = { settings: { external_jobs: true } }

const specs = {
  Monitor: {
    check: { driver: { type: 'http', config: { url: 'http://shop.test/' } }, interval: '10s', timeout: '5s' },
  },
  NotificationEndpoint: { type: 'log', config: {} },
  NotificationGroup: { endpointRefs: ['the-endpoint'] },
  Credential: { value: 'a value that nobody sees' },
  JobType: {
    version: '1',
    kind: 'check',
    handler: 'queueDepth',
    protocolVersion: '1',
    parameterSchema: { type: 'object', properties: { queue: { type: 'string' } }, required: ['queue'] },
    resultSchema: { type: 'object' },
  },
  Route: { match: {}, colors: ['red'], endpointRefs: ['the-endpoint'] },
  Person: { endpointRefs: ['the-endpoint'] },
  Schedule: { layers: [{ personRefs: ['the-person'], start: '2026-01-05T09:00' }] },
  Policy: { steps: [{ notify: [{ scheduleRef: 'the-schedule' }] }] },
  Calendar: { scheduleRef: 'the-schedule', keyDigest: '0'.repeat(64) },
  StatusPage: {
    title: 'Shop',
    groups: [
      { name: 'Shop', components: [{ id: 'checkout', name: 'Checkout', match: { service: 'checkout' } }] },
    ],
  },
  StatusIncident: {
    pageRef: 'the-page',
    title: 'Payments fail',
    updates: [{ at: '2026-03-29T01:00:00.000Z', phase: 'investigating', text: 'We are looking.' }],
  },
  Badge: { componentRef: 'the-page/checkout', shows: 'status', keyDigest: '1'.repeat(64) },
} as const satisfies Readonly<Record<v2.ResourceKind, object>>

export type Kind = v2.ResourceKind
export const kinds: readonly Kind[] = v2.resourceKinds

export function documentOf(kind: Kind, id: string, spec: object = specs[kind]) {
  return { apiVersion: v2.apiVersion, kind, metadata: { id, name: `The ${id}` }, spec }
}

/** The kind of resource that an operation is for. */
export function kindOf(name: v2.OperationName): Kind | null {
  return kinds.find((kind) => name.endsWith(kind) || name.endsWith(v2.kinds[kind].plural)) ?? null
}

/** Valid calls to a served edition; each creates the resources that it needs. */
export class V2Calls {
  readonly next: ServedNext
  #made = 0
  /** Operations that may still be open; a service allows only a few at once. */
  readonly #open: string[] = []

  private constructor(next: ServedNext) {
    this.next = next
  }

  static async begin(next: ServedNext): Promise<V2Calls> {
    const calls = new V2Calls(next)
    await calls.create('NotificationEndpoint', 'the-endpoint')
    await calls.create('Person', 'the-person')
    await calls.create('Schedule', 'the-schedule')
    await calls.create('StatusPage', 'the-page')
    return calls
  }

  /** Returns the version of the new resource, as If-Match takes it. */
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

  /** A call of the operation that succeeds. */
  async rightCall(name: v2.OperationName): Promise<V2Call> {
    const kind = kindOf(name) ?? 'Monitor'
    const id = this.newId()
    switch (name.replace(kind, '')) {
      case 'Create':
        return { body: documentOf(kind, id), headers: { 'if-none-match': '*' } }
      case 'Get':
      case 'Explain':
        await this.create(kind, id)
        return { id }
      case 'Replace':
        return { id, headers: await this.#ifMatch(kind, id), body: documentOf(kind, id) }
      case 'Patch':
        return { id, headers: await this.#ifMatch(kind, id), body: { metadata: { labels: { team: 'a' } } } }
      case 'Delete':
        return { id, headers: await this.#ifMatch(kind, id) }
      case 'GetIncident':
      case 'ExplainIncident':
        return { id: await this.#firstId('ListIncidents') }
      case 'GetAction':
      case 'ExplainAction':
        return { id: await this.#firstId('ListActions') }
      case 'GetOperation':
        return { id: await this.#operation(kind, id) }
      case 'AcknowledgeIncident':
        return this.#ofIncident(null, {})
      case 'DismissIncident':
        return this.#ofIncident(false, { reason: 'known' })
      case 'AddIncidentNote':
        return { id: await this.#firstId('ListIncidents'), body: { text: 'the pool was full' } }
      case 'ReopenIncident':
        return this.#ofIncident(true, {})
      case 'Snooze':
        await this.create(kind, id)
        return this.#ofMonitor(id, planned)
      case 'Unsnooze':
        await this.create(kind, id)
        await this.#done('SnoozeMonitor', await this.#ofMonitor(id, planned))
        return this.#ofMonitor(id, {})
      case 'Recover':
        return this.#ofMonitor(await this.#recoverable(), { reason: 'the runbook was repaired' })
      case 'ReviewAction':
        return this.#ofUnknown()
      case 'PreflightCollection':
        return { body: { items: [itemOf(id)] } }
      case 'CreateOperation':
        return { body: { contentDigest: 'opaque', itemCount: 1 } }
      case 'UploadOperation':
        return { id: await this.openOperation(), body: { items: [itemOf(id)] } }
      case 'ValidateOperation':
      case 'CancelOperation':
        return { id: await this.openOperation(id) }
      case 'ActivateOperation': {
        const operation = await this.openOperation(id)
        await this.#validate(operation)
        return { id: operation }
      }
      case 'WorkerPoll':
        return { role: 'worker', body: pollOf('berlin-1', '1') }
      case 'WorkerStart':
        return { role: 'worker', body: await this.offer() }
      case 'WorkerHeartbeat': {
        const { executionID, grantID } = await this.grant()
        return { role: 'worker', body: { workerID: 'berlin-1', executionID, grantID } }
      }
      case 'WorkerResult':
        return { role: 'worker', body: { ...(await this.grant()), kind: 'check', status: 'success' } }
      case 'WorkerLateEvidence': {
        const { executionID, grantID } = await this.grant()
        const body = { executionID, grantID, kind: 'check', status: 'success' }
        const { receiptID } = await this.#done<v2.Receipt>('WorkerResult', { role: 'worker', body })
        return { role: 'worker', body: { executionID, evidenceID: 'first', originalReceiptID: receiptID } }
      }
      case 'CreatePushKey':
        return { body: { credential: id } }
      case 'SwitchPracticeTarget':
        return { body: { on: true } }
      case 'TryCheck':
        return this.#trying({ driver: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } } })
      case 'TryNotification':
        return this.#trying({ type: 'log', config: {} })
      case 'GetShifts':
        return { id: 'the-schedule' }
      case 'ExplainResource':
        return { id: 'check.http' }
      default:
        return {}
    }
  }

  /** Opens an operation for these items and uploads them; without items it opens one and uploads nothing. */
  async openOperation(...items: readonly string[]): Promise<string> {
    const forgotten = this.#open.length >= openAtOnce ? this.#open.shift() : undefined
    if (forgotten !== undefined) await this.next.call('CancelOperation', { id: forgotten })
    const body = { contentDigest: 'opaque', itemCount: Math.max(1, items.length) }
    const { id } = await this.#done<v2.Operation>('CreateOperation', { body })
    this.#open.push(id)
    if (items.length > 0) await this.#done('UploadOperation', { id, body: { items: items.map(itemOf) } })
    return id
  }

  async #validate(id: string): Promise<void> {
    await this.#done('ValidateOperation', { id })
    const stateOf = async () => (await this.#done<v2.Operation>('GetOperation', { id })).state
    await until(async () => (await stateOf()) === 'validated')
  }

  /** A job that a worker was offered, as start takes it. */
  async offer(): Promise<v2.StartRequest> {
    const { external } = this.next
    if (external === null) throw new Error('no worker is heard here')
    const id = this.newId()
    external.table.add(jobOf(id, external.nowMs), external.nowMs)
    const poll = { role: 'worker', body: pollOf(`berlin-${id}`, id) } as const
    const { items } = await this.#done<v2.Assignments>('WorkerPoll', poll)
    const last = items.at(-1)
    if (last === undefined) throw new Error('nothing was offered')
    const { executionID, leaseID, executionRevision } = last
    return { executionID, leaseID, executionRevision }
  }

  /** A job that a worker was granted. */
  async grant(): Promise<Pick<v2.Outcome, 'executionID' | 'grantID'>> {
    const body = await this.offer()
    const { grantID } = await this.#done<v2.StartResponse>('WorkerStart', { role: 'worker', body })
    return { executionID: body.executionID, grantID }
  }

  /** A principal may try only once per second. */
  #trying(body: object): V2Call {
    this.next.clock.advance(1_000)
    return { body }
  }

  async #ifMatch(kind: Kind, id: string): Promise<Record<string, string>> {
    return { 'if-match': await this.create(kind, id) }
  }

  async #operation(kind: Kind, id: string): Promise<string> {
    const body = documentOf(kind, id)
    const created = await this.next.call(`Create${kind}`, { body, headers: { 'if-none-match': '*' } })
    return created.headers.get('x-operation-id') ?? ''
  }

  async #ofMonitor(id: string, words: object): Promise<V2Call> {
    const { status } = await this.#done<v2.Monitor>('GetMonitor', { id })
    return controlling(id, status?.controlRevision, words)
  }

  /** A control of an open incident in the wanted state, dismissed or not; if there is none, one is put into it. */
  async #ofIncident(dismissed: boolean | null, words: object): Promise<V2Call> {
    const { items } = await this.#done<v2.IncidentList>('ListIncidents')
    const open = items.filter(({ state }) => state === 'open')
    const wanted = open.find((incident) => dismissed === null || incident.dismissed === dismissed)
    if (wanted !== undefined) return controlling(wanted.id, wanted.revision, words)
    const [other] = open
    if (other === undefined) throw new Error('the fleet has no open incident')
    const change = controlling(other.id, other.revision, { reason: 'for a test' })
    const name = dismissed === true ? 'DismissIncident' : 'ReopenIncident'
    const { id, revision } = await this.#done<v2.Incident>(name, change)
    return controlling(id, revision, words)
  }

  /** Reviews a notification as inconclusive, which leaves it unchanged for the next call. */
  async #ofUnknown(): Promise<V2Call> {
    const { items } = await this.#done<v2.ActionList>('ListActions')
    const unknown = items.find((action) => action.state === 'unknown' && action.kind === 'code')
    if (unknown === undefined) throw new Error('the fleet has no notification whose outcome is unknown')
    return reviewing(unknown, 'inconclusive')
  }

  /** A monitor with an incident and a recovery, when nothing holds the recovery back. */
  async #recoverable(): Promise<string> {
    const { items } = await this.#done<v2.IncidentList>('ListIncidents')
    for (const { state, monitorID } of items) {
      if (state !== 'open') continue
      const { spec } = await this.#done<v2.Monitor>('GetMonitor', { id: monitorID })
      if (spec.recovery === undefined) continue
      const query = `?monitorID=${encodeURIComponent(monitorID)}`
      const actions = await this.#done<v2.ActionList>('ListActions', { query })
      const holding = actions.items.find(({ held }) => held)
      if (holding !== undefined) await this.#done('ReviewAction', reviewing(holding, 'rejected'))
      return monitorID
    }
    throw new Error('the fleet has no incident of a monitor with a recovery')
  }

  async #firstId(list: 'ListIncidents' | 'ListActions'): Promise<string> {
    const { items } = await this.#done<v2.IncidentList | v2.ActionList>(list)
    return items[0]?.id ?? ''
  }

  async #done<Body>(name: v2.OperationName, call: V2Call = {}): Promise<Body> {
    const response = await this.next.call(name, call)
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`)
    return (await response.json()) as Body
  }
}

const openAtOnce = 8

/** The job type that the worker of serveNext may run. */
const capability = { jobTypeID: 'any', kind: 'check' } as const

function pollOf(workerID: string, version: string): v2.PollRequest {
  const capabilities = [{ ...capability, version }]
  return { workerID, capabilities, capacity: 100, limit: 16, waitSeconds: 0 }
}

/** A check outside any schedule. Its job version is unique, so it is not offered to other workers. */
function jobOf(executionId: string, nowMs: number): Job {
  return {
    executionId,
    kind: 'check',
    jobType: 'any',
    type: null,
    version: executionId,
    monitorId: 'up',
    revision: null,
    parameters: {},
    profile: '',
    timeoutMs: 60_000,
    startByMs: nowMs + 60_000,
    check: { row: -1, generation: 0 },
  }
}

function itemOf(id: string): v2.ApplyItem {
  const resource = documentOf('Monitor', id) as v2.Monitor
  return { id, contentDigest: 'opaque', source: 'a test', resource }
}

const planned = { reason: 'planned work', duration: '1h' }

/** With the revision in the header and in the body. */
function controlling(id: string, revision: string | undefined, words: object): V2Call {
  return { id, headers: { 'if-match': `"${revision}"` }, body: { revision, ...words } }
}

function reviewing({ id, reviewRevision }: v2.Action, resolution: v2.ControlRequest['resolution']): V2Call {
  return controlling(id, reviewRevision, { reason: 'seen in its log', resolution })
}
