// bulk/served.fixture.ts: the edition next as a whole, over a store in files and behind its real listener,
// for tests of operations. Its clocks can be advanced, and it can be stopped and restarted on the same files.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { v2 } from '@pulseward/contract'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { callOperation, type V2Call } from '@pulseward/testing/editions'
import { testStoreSetting } from '@pulseward/testing/store'
import { expect } from 'vitest'
import { type App, startApp } from '../app.ts'
import { resolveSettings } from '../config/settings/resolve-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { systemClock } from '../platform/clock.ts'
import { canonicalDigest } from '../platform/json/canonical-json.ts'
import { silentLog } from '../telemetry/log.ts'

type Spec = Readonly<Record<string, unknown>>

/** A monitor that is never due while a test runs. */
export function monitor(id: string, spec: Spec = {}, metadata: object = {}) {
  const driver = { type: 'http', config: { url: 'http://127.0.0.1:9/' } }
  return resource('Monitor', id, { check: { driver, interval: '1h', timeout: '5s' }, ...spec }, metadata)
}

export function endpoint(id: string, config: object = { url: 'https://hooks.test/' }, metadata: object = {}) {
  return resource('NotificationEndpoint', id, { type: 'webhook', config }, metadata)
}

export function group(id: string, ...endpointRefs: string[]) {
  return resource('NotificationGroup', id, { endpointRefs })
}

export function credential(id: string, value?: string) {
  return resource('Credential', id, value === undefined ? {} : { value })
}

function resource(kind: v2.ResourceKind, id: string, spec: object, metadata: object = {}): v2.Resource {
  return { apiVersion: v2.apiVersion, kind, metadata: { id, ...metadata }, spec } as v2.Resource
}

/** Items as a client makes them from resources. */
export function itemsOf(...resources: readonly v2.Resource[]): v2.ApplyItem[] {
  return resources.map((resource, index) => ({
    id: `${resource.kind}/${resource.metadata.id}`,
    contentDigest: canonicalDigest(resource),
    source: `fleet.yaml:${index + 1}`,
    resource,
  }))
}

export function digestOf(items: readonly v2.ApplyItem[]): string {
  const digest = createHash('sha256')
  for (const { id, contentDigest } of items) digest.update(`${id} ${contentDigest}\n`)
  return `sha256:${digest.digest('hex')}`
}

export class ServedBulk implements AsyncDisposable {
  readonly folder: TemporaryFolder
  readonly #config: string | null
  readonly #environment: Readonly<Record<string, string>>
  #app: App | null = null
  #aheadMs = 0
  #token = ''

  private constructor(
    folder: TemporaryFolder,
    config: string | null,
    environment: Readonly<Record<string, string>>,
  ) {
    this.folder = folder
    this.#environment = environment
    this.#config = config
  }

  /** `fleet`: a fleet file, as an object. `environment`: further settings. */
  static async start({
    fleet,
    environment = {},
  }: {
    fleet?: object
    environment?: Readonly<Record<string, string>>
  } = {}): Promise<ServedBulk> {
    const folder = temporaryFolder()
    const config = fleet === undefined ? null : folder.write('fleet.json', JSON.stringify(fleet))
    const served = new ServedBulk(folder, config, environment)
    await served.resume()
    return served
  }

  get url(): string {
    if (this.#app === null) throw new Error('the service is stopped')
    return this.#app.url
  }

  async stop(): Promise<void> {
    await this.#app?.[Symbol.asyncDispose]()
    this.#app = null
  }

  async resume(): Promise<void> {
    const data = this.folder.path('data')
    const environment = {
      ...this.#environment,
      PULSEWARD_EDITION: 'next',
      PULSEWARD_DATA: data,
      ...testStoreSetting(data),
      PULSEWARD_LISTEN: '127.0.0.1:0',
      ...(this.#config === null ? {} : { PULSEWARD_CONFIG: this.#config }),
    }
    const { values: settings } = resolveSettings({ flags: new Map(), environment, file: null })
    const clock: Clock = {
      wallMs: () => systemClock.wallMs() + this.#aheadMs,
      monotonicMs: () => systemClock.monotonicMs() + this.#aheadMs,
    }
    this.#app = await startApp({ settings, token: null, environment, clock, log: silentLog })
    this.#token = readFileSync(this.folder.path('data/operator.token'), 'utf8').trim()
  }

  /** Changes the content of the fleet file and reloads it. */
  async reload(fleet: object): Promise<void> {
    expect(await this.reloadOf(fleet)).toMatchObject({ applied: true })
  }

  /** The same, where it may be refused. */
  async reloadOf(fleet: object): Promise<unknown> {
    this.folder.write('fleet.json', JSON.stringify(fleet))
    return await this.#app?.reload()
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.resume()
  }

  /** Advances both clocks. */
  passHours(hours: number): void {
    this.passMinutes(hours * 60)
  }

  passMinutes(minutes: number): void {
    this.#aheadMs += minutes * 60_000
  }

  async list(query = ''): Promise<v2.OperationList> {
    return await expectV2Answer('ListOperations', await this.call('ListOperations', { query }))
  }

  call(name: v2.OperationName, asked?: V2Call): Promise<Response> {
    if (this.#app === null) throw new Error('the service is stopped')
    const tokens = { reader: this.#token, operator: this.#token, worker: this.#token }
    return callOperation(this.#app.url, tokens, name, asked)
  }

  async create(items: readonly v2.ApplyItem[], contentDigest = digestOf(items)): Promise<string> {
    const body = { contentDigest, itemCount: items.length }
    const response = await this.call('CreateOperation', { body })
    const { id } = await expectV2Answer('CreateOperation', response)
    expect(response.headers.get('location')).toBe(`/api/v2/operations/${id}`)
    expect(response.headers.get('x-operation-id')).toBe(id)
    return id
  }

  async upload(id: string, items: readonly v2.ApplyItem[]): Promise<v2.Operation> {
    let last: v2.Operation | null = null
    for (let from = 0; from < items.length; from += v2.limits.uploadItems) {
      const body = { items: items.slice(from, from + v2.limits.uploadItems) }
      last = await expectV2Answer('UploadOperation', await this.call('UploadOperation', { id, body }))
    }
    if (last === null) throw new Error('there is nothing to upload')
    return last
  }

  async validate(id: string): Promise<v2.Preflight> {
    for (;;) {
      const response = await this.call('ValidateOperation', { id })
      const answer = await expectV2Answer('ValidateOperation', response)
      if (response.headers.get('retry-after') === null) return answer
    }
  }

  /** Created, uploaded and validated. */
  async staged(...resources: readonly v2.Resource[]): Promise<string> {
    const items = itemsOf(...resources)
    const id = await this.create(items)
    await this.upload(id, items)
    await this.validate(id)
    return id
  }

  async activate(id: string): Promise<v2.Operation> {
    await expectV2Answer('ActivateOperation', await this.call('ActivateOperation', { id }))
    return await this.ended(id)
  }

  ended(id: string): Promise<v2.Operation> {
    return eventually(async () => {
      const operation = await this.read(id)
      expect(['validating', 'applying']).not.toContain(operation.state)
      return operation
    })
  }

  async read(id: string, query = ''): Promise<v2.Operation> {
    return await expectV2Answer('GetOperation', await this.call('GetOperation', { id, query }))
  }

  /** Runs an operation from staging to its end. */
  async apply(...resources: readonly v2.Resource[]): Promise<v2.Operation> {
    return await this.activate(await this.staged(...resources))
  }

  /** The sentence with which a call is refused. */
  async refusal(
    name: v2.OperationName,
    asked: V2Call,
    code: v2.ProblemCode = 'operationConflict',
  ): Promise<string> {
    const { detail = '' } = await expectV2Problem(name, await this.call(name, asked), code)
    return detail
  }

  async monitorIds(): Promise<string[]> {
    const query = '?limit=500'
    const { items } = await expectV2Answer('ListMonitors', await this.call('ListMonitors', { query }))
    return items.map(({ metadata }) => metadata.id)
  }

  /** Writes one resource, as another client would. */
  async put(resource: v2.Resource): Promise<string> {
    const { kind, metadata } = resource
    const { id } = metadata
    const found = await this.call(`Get${kind}` as v2.OperationName, { id })
    const version = found.headers.get('etag')
    const response =
      version === null
        ? await this.call(`Create${kind}` as v2.OperationName, {
            body: resource,
            headers: { 'if-none-match': '*' },
          })
        : await this.call(`Replace${kind}` as v2.OperationName, {
            id,
            body: resource,
            headers: { 'if-match': version },
          })
    expect([200, 201]).toContain(response.status)
    return (response.headers.get('etag') ?? '').replaceAll('"', '')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    this.folder[Symbol.dispose]()
  }
}

/** `item outcome`, in the order of the answer. */
export function outcomesOf({ items = [] }: Pick<v2.Operation, 'items'>): string[] {
  return items.map(({ id, outcome }) => `${id} ${outcome}`)
}
