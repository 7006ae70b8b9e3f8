// servers/alertmanager.ts: Prometheus' Alertmanager, alone (no cluster), the alerts that it has and what it forwards.
import { temporaryFolder } from '../files/temporary-folder.ts'
import { findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const alertmanager: ServerKind = {
  name: 'Alertmanager',
  debianPackages: ['prometheus-alertmanager'],
  find: () => findProgram('prometheus-alertmanager') ?? findProgram('alertmanager'),
}

/** The fields of GET /api/v2/alerts that tests use. */
export interface KnownAlert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly startsAt: string
  readonly endsAt: string
  readonly generatorURL: string
}

export class Alertmanager implements AsyncDisposable {
  readonly url: string
  readonly #process: ServerProcess

  private constructor(url: string, process: ServerProcess) {
    this.url = url
    this.#process = process
  }

  /** Forwards every alert to a webhook, as soon as it can. */
  static async start(program: string, webhookUrl: string): Promise<Alertmanager> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const folder = temporaryFolder({ 'alertmanager.yml': JSON.stringify(configuration(webhookUrl)) })
    const words = [
      `--config.file=${folder.path('alertmanager.yml')}`,
      `--storage.path=${folder.path('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ]
    const isReady = async (): Promise<boolean> =>
      (await fetch(`${url}/-/ready`).catch(() => null))?.ok ?? false
    return new Alertmanager(url, await ServerProcess.start({ program, words, folder, isReady }))
  }

  /** Only open alerts: it forgets resolved ones. */
  async alerts(): Promise<KnownAlert[]> {
    return (await (await fetch(`${this.url}/api/v2/alerts`)).json()) as KnownAlert[]
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]()
  }
}

// JSON is YAML.
function configuration(webhookUrl: string): object {
  return {
    route: { receiver: 'test', group_by: ['...'], group_wait: '10ms', group_interval: '50ms' },
    receivers: [{ name: 'test', webhook_configs: [{ url: webhookUrl, send_resolved: true }] }],
  }
}
