// e2e/troubled-fleet.ts: a fleet over one loopback target whose paths a test breaks and repairs, with hostile
// names and a recovery whose answer is lost.
import { answersBy, HttpTarget } from '@pulseward/testing/targets'

export const hostileName = '<img src=x onerror=alert(1)>'
export const longName = '😀'.repeat(256)

export class TroubledTarget implements AsyncDisposable {
  readonly #target: HttpTarget
  readonly #broken = new Set(['/checkout', '/long'])

  private constructor(target: HttpTarget) {
    this.#target = target
    target.behave(
      answersBy((request) => {
        const path = /^\w+ (\S+)/.exec(request)?.[1] ?? '/'
        return { status: this.#broken.has(path) ? 503 : 200 }
      }),
    )
  }

  static async start(): Promise<TroubledTarget> {
    return new TroubledTarget(await HttpTarget.start())
  }

  breaks(path: string): void {
    this.#broken.add(path)
  }

  mends(path: string): void {
    this.#broken.delete(path)
  }

  url(path: string): string {
    return this.#target.url(path)
  }

  /** The quiet monitors are healthy, and fill more than a page of a list. */
  fleet(quietMonitors = 120): object {
    const monitor = (id: string, name: string, path: string) => ({
      id,
      name,
      tags: ['shop'],
      check: {
        type: 'http',
        interval: '1s',
        timeout: '1s',
        unhealthy_threshold: 2,
        healthy_threshold: 2,
        config: { url: this.#target.url(path) },
      },
    })
    const quiet = Array.from({ length: quietMonitors }, (_, index) => ({
      ...monitor(`quiet-${index}`, `Quiet ${String(index).padStart(3, '0')}`, '/quiet'),
      check: { type: 'http', interval: '10s', timeout: '1s', config: { url: this.#target.url('/quiet') } },
    }))
    return {
      version: 1,
      monitors: [
        monitor('checkout', 'Checkout', '/checkout'),
        monitor('search', 'Search', '/search'),
        monitor('hostile', hostileName, '/hostile'),
        monitor('long', longName, '/long'),
        ...quiet,
      ],
    }
  }

  /**
   * The same, with monitors that notify: `ops`, which answers like the path /hook, `pager`, which our address policy
   * refuses to reach, and `log`, which works; the hostile one notifies only `pager`. Basket depends on Checkout.
   */
  tellingFleet(): object {
    const { monitors, ...rest } = this.fleet(0) as { monitors: { id: string; name: string; check: object }[] }
    const red = (id: string) => ({ endpoints: id === 'hostile' ? ['pager'] : ['ops', 'pager', 'log'] })
    const basket = { ...monitors[1]!, id: 'basket', name: 'Basket', depends_on: ['checkout'] }
    const url = this.#target.url('/basket')
    return {
      ...rest,
      endpoints: {
        ops: { type: 'webhook', config: { url: this.#target.url('/hook') } },
        pager: { type: 'webhook', config: { url: 'http://169.254.7.7/page' } },
        log: { type: 'log', config: {} },
      },
      monitors: [
        ...monitors.map((monitor) => ({ ...monitor, notify: { red: red(monitor.id) } })),
        { ...basket, check: { ...basket.check, config: { url } } },
      ],
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#target[Symbol.asyncDispose]()
  }
}
