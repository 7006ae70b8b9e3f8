// client/served.fixture.ts: the edition next as a real service in this process, and commands that talk to it:
// `await using served = await ServedNext.start()`.
import type { App } from '@pulseward/server'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { serveInProcess } from '@pulseward/testing/process'
import { runInProcess, type TestedEnd, type TestedTerminal } from './command.fixture.ts'

export class ServedNext implements AsyncDisposable {
  readonly folder: TemporaryFolder
  readonly #service: App

  private constructor(folder: TemporaryFolder, service: App) {
    this.folder = folder
    this.#service = service
  }

  /** `fleet`: the text of a fleet file. */
  static async start({
    fleet,
    environment = {},
  }: {
    fleet?: string
    environment?: NodeJS.ProcessEnv
  } = {}): Promise<ServedNext> {
    const folder = temporaryFolder(fleet === undefined ? {} : { 'fleet.yaml': fleet })
    try {
      const files = fleet === undefined ? [] : ['--config', folder.path('fleet.yaml')]
      const words = ['--edition', 'next', '--data', folder.path('data'), ...files]
      return new ServedNext(folder, await serveInProcess(words, { environment }))
    } catch (error) {
      folder[Symbol.dispose]()
      throw error
    }
  }

  get url(): string {
    return this.#service.url
  }

  /** Runs as a user of the same machine, without naming a token. */
  run(words: readonly string[], on?: TestedTerminal): Promise<TestedEnd> {
    return runInProcess([...words, '--server', this.url, '--data', this.folder.path('data')], on)
  }

  /** Applies resources that must be valid. */
  async apply(...resources: readonly object[]): Promise<void> {
    const stdin = resources.map((resource) => JSON.stringify(resource)).join('\n---\n')
    const { code, stdout, stderr } = await this.run(['apply', '-f', '-', '--wait'], { stdin })
    if (code !== 0) throw new Error(`apply ended with ${code}: ${stdout}${stderr}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]()
    this.folder[Symbol.dispose]()
  }
}

const resource = (kind: string, id: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'pulseward/v2',
  kind,
  metadata: { id, ...metadata },
  spec,
})

/** Resources as people write them. */
export const samples = {
  credential: (id: string, value = `the-value-of-${id}`) => resource('Credential', id, { value }),
  endpoint: (id: string, credential: string) =>
    resource('NotificationEndpoint', id, {
      type: 'slack',
      config: {},
      credentialRefs: { hook: credential },
    }),
  group: (id: string, ...endpointRefs: string[]) => resource('NotificationGroup', id, { endpointRefs }),
  /** Tells groups about the red and green of monitors with these labels. */
  route: (id: string, groupRef: string, match: object = {}, spec: object = {}) =>
    resource('Route', id, { match, colors: ['red', 'green'], groupRefs: [groupRef], ...spec }),
  monitor: (id: string, spec: object = {}, metadata: object = {}) =>
    resource(
      'Monitor',
      id,
      {
        check: {
          driver: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } },
          interval: '1h',
          timeout: '5s',
        },
        ...spec,
      },
      metadata,
    ),
}
