// trials/trials.ts: tries a draft once before it is saved: a check or a notification. What it says goes to the caller and
// nowhere else: no monitor, no history and no counter of the fleet learns of it. A trial ends with the request that asked
// for it, and with the service.
import { randomUUID } from 'node:crypto'
import type { v2 } from '@pulseward/contract'
import { notifyTimeoutMs } from '../acting/action-source.ts'
import { noData } from '../checks/driver.ts'
import { MissingCredential } from '../config/fleet-file/credentials.ts'
import { rejected } from '../platform/action-outcome.ts'
import type { Clock } from '../platform/clock.ts'
import type { Network } from '../platform/network/network.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import { type LabelCount, LabelCounter } from '../telemetry/label-counter.ts'
import type { Log } from '../telemetry/log.ts'
import { type DraftSurroundings, readyCheck, readyNotification } from './draft.ts'
import { runTrialCheck } from './run-trial-check.ts'
import { runTrialNotification } from './run-trial-notification.ts'
import { testMessage } from './test-message.ts'
import { TrialPlaces } from './trial-places.ts'
import { checkTrialView, notificationTrialView } from './trial-views.ts'

export interface TrialsOptions extends DraftSurroundings {
  /** With the policy for checks. */
  readonly checkNetwork: Network
  /** With the policy for notifications. */
  readonly outbound: Network
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string | null
}

/** Who asks, and when they no longer want to know. */
export interface Asking {
  readonly principal: string
  readonly signal: AbortSignal
}

export class Trials implements AsyncDisposable {
  readonly #options: TrialsOptions
  readonly #places: TrialPlaces
  readonly #counts = new LabelCounter()
  readonly #running = new Set<Promise<unknown>>()
  readonly #stopping = new AbortController()

  constructor(options: TrialsOptions) {
    this.#options = options
    this.#places = new TrialPlaces(options.clock)
  }

  /** Trials that ended, by what was tried and its outcome. */
  get counts(): LabelCount[] {
    return this.#counts.read()
  }

  /** Throws a problem for a draft that could not be saved, and if too much is tried. */
  async check(draft: v2.CheckTrialRequest, asking: Asking): Promise<v2.CheckTrial> {
    const { driver, timeoutMs, inPlace } = readyCheck(draft, this.#options)
    const { type } = draft.driver
    return await this.#try({ what: 'check', type }, asking, async (signal) => {
      if (inPlace instanceof MissingCredential) {
        const outcome = noData(0, `the check could not be started: ${inPlace.reason}`)
        return checkTrialView({ outcome, phases: [], observations: [] })
      }
      const { checkNetwork: network, clock } = this.#options
      return checkTrialView(
        await runTrialCheck({ driver, timeoutMs, ...inPlace }, { network, clock, signal }),
      )
    })
  }

  /** The same for one test message. */
  async notify(draft: v2.DriverConfig, asking: Asking): Promise<v2.NotificationTrial> {
    const { driver, inPlace } = readyNotification(draft, this.#options)
    return await this.#try({ what: 'notification', type: draft.type }, asking, async (signal) => {
      if (inPlace instanceof MissingCredential)
        return notificationTrialView({ outcome: rejected(inPlace.reason), isReached: false })
      const { outbound: network, clock, log, publicUrl: link } = this.#options
      const notification = testMessage({ id: randomUUID(), atMs: clock.wallMs(), link })
      const delivery = { driver, ...inPlace, notification, timeoutMs: notifyTimeoutMs, signal }
      const outlets = { network, log: (message: string, fields: object) => log.info(fields, message) }
      return notificationTrialView(await runTrialNotification(delivery, outlets))
    })
  }

  /** Ends those that run, and waits until their callers were told that the service stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled(this.#running)
    // An answer is written after its trial has ended.
    await new Promise((resolve) => setImmediate(resolve))
  }

  async #try<View extends { readonly outcome: string }>(
    { what, type }: { readonly what: 'check' | 'notification'; readonly type: string },
    { principal, signal }: Asking,
    run: (signal: AbortSignal) => Promise<View>,
  ): Promise<View> {
    using _ = this.#places.take(principal)
    const running = run(AbortSignal.any([signal, this.#stopping.signal]))
    this.#running.add(running)
    const view = await running.finally(() => this.#running.delete(running))
    if (this.#stopping.signal.aborted)
      throw new V2Problem(
        'unavailable',
        'The service is stopping, so the trial was broken off. Try again when it runs.',
      )
    // Its client is gone, and it may say no more than that it was broken off.
    if (signal.aborted) return view
    const { outcome } = view
    this.#counts.note(what, outcome)
    this.#options.log.info({ principal, type, outcome }, `a ${what} was tried without being saved`)
    return view
  }
}
