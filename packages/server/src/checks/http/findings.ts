// checks/http/findings.ts: what the assertions of a check find in a response. The first problem is the reason. The rest are
// judged only if a reader asked what the check saw.
import { assertion, fact } from '../driver.ts'
import type { Attempt } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { withoutSecrets } from './secrets.ts'

/** One assertion as a reader is shown it. */
interface Shown {
  readonly name: string
  readonly seen: string
  readonly expected: string
}

export class Findings {
  readonly #config: HttpConfig
  readonly #attempt: Attempt
  readonly #isObserved: boolean
  /** The reason of the failure; null if there is none yet. */
  problem: string | null = null

  constructor(config: HttpConfig, attempt: Attempt) {
    this.#config = config
    this.#attempt = attempt
    this.#isObserved = attempt.run.observe !== undefined
  }

  /** Whether nothing more has to be judged. */
  get isDecided(): boolean {
    return this.problem !== null && !this.#isObserved
  }

  add(problem: string | null, shown: () => Shown): void {
    this.problem ??= problem
    if (!this.#isObserved) return
    const { name, seen, expected } = shown()
    this.#attempt.run.observe?.(assertion(name, this.#safe(seen), expected, problem === null))
  }

  fact(name: string, seen: () => string): void {
    if (this.#isObserved) this.#attempt.run.observe?.(fact(name, this.#safe(seen())))
  }

  /** A target may echo what it was sent. */
  #safe(text: string): string {
    return withoutSecrets(text, this.#config)
  }
}
