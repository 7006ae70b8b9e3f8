// servers/prometheus.ts: Prometheus with a configuration of the test, and its answers to queries.
import { temporaryFolder } from '../files/temporary-folder.ts'
import { findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const prometheus: ServerKind = {
  name: 'Prometheus',
  debianPackages: ['prometheus'],
  find: () => findProgram('prometheus'),
}

export interface QueriedSeries {
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

export class Prometheus implements AsyncDisposable {
  readonly url: string
  readonly #process: ServerProcess

  private constructor(url: string, process: ServerProcess) {
    this.url = url
    this.#process = process
  }

  /** The files are placed beside the configuration, which can refer to them by name. */
  static async start(
    program: string,
    configuration: object,
    files: Readonly<Record<string, string>> = {},
  ): Promise<Prometheus> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    // JSON is YAML.
    const folder = temporaryFolder({ ...files, 'prometheus.yaml': JSON.stringify(configuration) })
    const words = [
      `--config.file=${folder.path('prometheus.yaml')}`,
      `--storage.tsdb.path=${folder.path('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]
    const isReady = async (): Promise<boolean> =>
      (await fetch(`${url}/-/ready`).catch(() => null))?.ok ?? false
    return new Prometheus(url, await ServerProcess.start({ program, words, folder, isReady }))
  }

  /** The result of an instant query; rejects with the reason if the query is refused. */
  async query(expression: string): Promise<QueriedSeries[]> {
    const { result } = await this.#get<{
      result: { metric: Record<string, string>; value: [number, string] }[]
    }>(`query?query=${encodeURIComponent(expression)}`)
    return result.map(({ metric, value: [, text] }) => ({ metric, value: Number(text) }))
  }

  /** Every value that the label has in the series of a selector. */
  labelValues(label: string, selector: string): Promise<string[]> {
    return this.#get(`label/${label}/values?match[]=${encodeURIComponent(selector)}`)
  }

  async #get<Data>(path: string): Promise<Data> {
    const response = await fetch(`${this.url}/api/v1/${path}`)
    const { status, error, data } = (await response.json()) as { status: string; error?: string; data: Data }
    if (status !== 'success') throw new Error(`Prometheus refuses ${path}: ${error}`)
    return data
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]()
  }
}
