// process/service-on-files.ts: the real service as a process on a real store, over one target that a test
// breaks and repairs and one provider that accepts every notification:
// `await using service = await ServiceOnFiles.start({ data: folder.path('data') })`.
import type { HistoryEvent } from '@pulseward/contract'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { answers, HttpTarget } from '../targets/http-target.ts'
import { type CommandOptions, RunningCommand, type RunningService } from './running-command.ts'

export interface ServiceOnFilesOptions {
  readonly data: string
  /** As in the setting; that of the tests if absent. */
  readonly store?: string
  readonly through?: readonly string[]
  readonly logLevel?: string
  /** Further arguments of `pulseward serve`. */
  readonly words?: readonly string[]
  /** By name, besides `ops`, our own provider; each gets reds and greens. */
  readonly endpoints?: Readonly<Record<string, object>>
  readonly recovery?: object
}

/** An answer of the API with any status. */
export interface ApiAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look at members of bodies that have contract tests of their own.
  readonly body: any
}

export class ServiceOnFiles implements AsyncDisposable {
  readonly target: HttpTarget
  readonly provider: HttpTarget
  readonly command: RunningService
  readonly #owned: AsyncDisposableStack

  private constructor(
    parts: { target: HttpTarget; provider: HttpTarget; command: RunningService },
    owned: AsyncDisposableStack,
  ) {
    this.target = parts.target
    this.provider = parts.provider
    this.command = parts.command
    this.#owned = owned
  }

  static async start(options: ServiceOnFilesOptions): Promise<ServiceOnFiles> {
    await using owned = new AsyncDisposableStack()
    const target = owned.use(await HttpTarget.start())
    const provider = owned.use(await HttpTarget.start())
    const folder = owned.use(temporaryFolder())
    const fleet = folder.write('fleet.json', JSON.stringify(fleetOver(target, provider, options)))
    const command = owned.use(
      await RunningCommand.serve(
        [...serveWords(fleet, options.data, options.store, options.logLevel), ...(options.words ?? [])],
        {
          environment: { PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1', PULSEWARD_ALERT_COOLDOWN: '0s' },
          ...through(options),
        },
      ),
    )
    return new ServiceOnFiles({ target, provider, command }, owned.move())
  }

  breakTarget(): void {
    this.target.behave(answers({ status: 500 }))
  }

  mendTarget(): void {
    this.target.behave(answers())
  }

  async get(path: string): Promise<ApiAnswer> {
    const answer = await fetch(`${this.command.url}/api/v1/${path}`)
    return { status: answer.status, body: await answer.json() }
  }

  async readiness(): Promise<readonly string[]> {
    return (await this.get('readyz')).body.reasons ?? []
  }

  /** The events as `type color endpoint outcome`, without the parts that are null. */
  async story(): Promise<string[]> {
    const { body } = await this.get('history?limit=500')
    return (body.events as HistoryEvent[]).map(({ type, color, endpoint, outcome }) =>
      [type, color, endpoint, outcome].filter((part) => part !== null).join(' '),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }
}

/** The arguments of `pulseward serve` for a fleet file and a data directory. */
export function serveWords(fleet: string, data: string, store?: string, logLevel = 'error'): string[] {
  const words = ['--config', fleet, '--data', data, '--log-level', logLevel]
  return store === undefined ? words : [...words, '--store', store]
}

function through({ through: words }: ServiceOnFilesOptions): CommandOptions {
  return words === undefined ? {} : { through: words }
}

function fleetOver(target: HttpTarget, provider: HttpTarget, options: ServiceOnFilesOptions): object {
  const ops = { type: 'webhook', config: { url: provider.url('/ops') } }
  const endpoints: Record<string, object> = { ops, ...options.endpoints }
  const all = { endpoints: Object.keys(endpoints) }
  const monitor = {
    id: 'edge',
    name: 'Edge',
    check: {
      type: 'http',
      interval: '1s',
      timeout: '1s',
      unhealthy_threshold: 1,
      healthy_threshold: 1,
      config: { url: target.url() },
    },
    notify: { red: all, green: all },
    ...(options.recovery === undefined ? {} : { recovery: options.recovery }),
  }
  return { version: 1, endpoints, monitors: [monitor] }
}
