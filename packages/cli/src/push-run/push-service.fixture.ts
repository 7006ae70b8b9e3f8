// push-run/push-service.fixture.ts: a service that takes signals of push monitors, as far as a job can tell: it notes each
// and answers 200, unless a test says otherwise. `await using service = await PushService.start()`.
import { answers, HttpTarget, type OrdinaryAnswer } from '@pulseward/testing/targets'

export interface Signal {
  readonly method: string
  readonly key: string
  /** start, or an exit code. */
  readonly what: string
  readonly rid: string | null
  readonly body: string
}

type Answer = (signal: Signal) => OrdinaryAnswer | 'reset' | 'silence'

export class PushService implements AsyncDisposable {
  readonly #target: HttpTarget
  readonly #waiting = new Set<() => void>()
  answer: Answer = () => ({ body: 'ok' })

  private constructor(target: HttpTarget) {
    this.#target = target
    target.behave({
      when: 'request',
      act: (socket, request) => {
        const answer = this.answer(signalOf(request))
        for (const look of this.#waiting) look()
        if (answer === 'reset') socket.resetAndDestroy()
        else if (answer !== 'silence') answers(answer).act(socket, request)
      },
    })
  }

  static async start(): Promise<PushService> {
    return new PushService(await HttpTarget.start())
  }

  get url(): string {
    return this.#target.url('')
  }

  get signals(): Signal[] {
    return this.#target.requests.map(signalOf)
  }

  until(condition: (signals: readonly Signal[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition(this.signals)) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#target[Symbol.asyncDispose]()
  }
}

function signalOf(request: string): Signal {
  const [head = '', body = ''] = request.split(/\r\n\r\n([\s\S]*)/)
  const [method = '', path = ''] = head.split(' ')
  const { pathname, searchParams } = new URL(path, 'http://service.test')
  const [, , key = '', what = ''] = pathname.split('/')
  return {
    method,
    key,
    what,
    rid: searchParams.get('rid'),
    body: Buffer.from(body, 'latin1').toString('utf8'),
  }
}
