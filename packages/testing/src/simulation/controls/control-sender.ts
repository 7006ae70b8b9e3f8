// simulation/controls/control-sender.ts: people who acknowledge, dismiss, reopen, snooze, unsnooze, recover
// and review, at random from the seed, several at a time and often the same subject. Some have seen an old
// revision, some ask for what is not possible. When the calm phase begins they end every snooze.
import type { ControlDesk } from '@pulseward/server/internal/controls/control-desk.ts'
import { revisionText } from '@pulseward/server/internal/controls/revision-text.ts'
import type { Random } from '../../random.ts'
import { type ModelMonitor, service, statusOf } from '../model/monitor-state.ts'
import type { Oracle } from '../oracle/oracle.ts'
import type { ControlRequest, IncidentVerb } from './control-requests.ts'

const principals = ['ann', 'ben', 'cem']
const shortestSnoozeMs = 5_000
const longestSnoozeMs = 3_600_000
const rememberedAtMost = 20

/** The process that gets the requests. */
export interface AskedProcess {
  readonly controls: ControlDesk
  readonly isAlive: boolean
  readonly isStopping: boolean
  readonly isPaused: boolean
}

export interface ControlSenderOptions {
  readonly random: Random
  readonly oracle: Oracle
  /** Null while no process can be asked. */
  readonly process: () => AskedProcess | null
  readonly nextOperation: () => number
}

type Subject =
  | { readonly verb: IncidentVerb; readonly monitorId: string; readonly incidentId: string }
  | { readonly verb: 'snooze' | 'unsnooze' | 'recover'; readonly monitorId: string }
  | { readonly verb: 'review'; readonly monitorId: string | null; readonly actionId: string }

export class ControlSender {
  readonly #options: ControlSenderOptions
  /** Subjects of earlier controls; by now they may be closed, reviewed or gone. */
  #earlier: Subject[] = []
  #last: Subject | null = null

  constructor(options: ControlSenderOptions) {
    this.#options = options
  }

  /** Sends one control, or two for the same subject at once, of which one wins. */
  act(): void {
    const { random } = this.#options
    const subject = random.chance(0.1) && this.#earlier.length > 0 ? random.pick(this.#earlier) : this.#some()
    this.#last = subject
    if (subject === null) return
    this.#earlier = [...this.#earlier, subject].slice(-rememberedAtMost)
    const times = random.chance(0.2) ? 2 : 1
    const requests = Array.from({ length: times }, () => this.#request(subject))
    for (const request of requests) this.#send(request)
  }

  /** Sends a follow-up while the first may still be on its way to the disk. */
  followUp(): void {
    if (this.#last !== null && this.#options.random.chance(0.3)) this.#send(this.#request(this.#last))
  }

  /** Ends one more snooze, if one is left. */
  settle(): void {
    const snoozed = this.#monitors().find(({ snooze }) => snooze !== null)
    if (snoozed !== undefined) this.#send(this.#request({ verb: 'unsnooze', monitorId: snoozed.plan.id }))
  }

  #some(): Subject | null {
    const { random } = this.#options
    const verb = random.weighted({
      acknowledge: 3,
      dismiss: 3,
      reopen: 2.5,
      snooze: 3,
      unsnooze: 1.5,
      recover: 4,
      review: 2,
    })
    if (verb === 'review') return this.#someUnknown()
    if (verb === 'snooze' || verb === 'unsnooze' || verb === 'recover') return this.#someMonitor(verb)
    return this.#someIncident(verb)
  }

  #someIncident(verb: IncidentVerb): Subject | null {
    const { random, oracle } = this.#options
    const { incidents, model } = oracle.known
    const all = [...incidents].map(([monitorId, incidentId]) => ({ verb, monitorId, incidentId }))
    const fitting = all.filter(({ monitorId }) => {
      const isDismissed = model.monitor(monitorId)?.episode?.incident?.isDismissed ?? false
      return verb === 'acknowledge' || isDismissed === (verb === 'reopen')
    })
    return this.#pick(random.chance(0.9) ? fitting : all)
  }

  #someMonitor(verb: 'snooze' | 'unsnooze' | 'recover'): Subject | null {
    const { random } = this.#options
    const isFitting = (monitor: ModelMonitor) => {
      if (verb === 'snooze') return monitor.snooze === null
      if (verb === 'unsnooze') return monitor.snooze !== null
      const status = statusOf(monitor)
      return monitor.plan.recovery !== null && (status === 'down' || status === 'incident')
    }
    const all = this.#monitors()
    const chosen = random.chance(0.85) ? all.filter(isFitting) : all
    const monitor = this.#pick(chosen)
    return monitor && { verb, monitorId: monitor.plan.id }
  }

  #someUnknown(): Subject | null {
    const { oracle } = this.#options
    return this.#pick(
      [...oracle.known.model.monitors()].flatMap(({ plan, unknown }) =>
        unknown.flatMap(({ key }): Subject[] => {
          const action = oracle.actionOnDisk(key)
          const monitorId = plan.id === service ? null : plan.id
          return action?.state === 'unknown' ? [{ verb: 'review', monitorId, actionId: action.id }] : []
        }),
      ),
    )
  }

  #monitors(): readonly ModelMonitor[] {
    const { model } = this.#options.oracle.known
    return [...model.monitors()].filter(({ plan, isRemoved }) => plan.id !== service && !isRemoved)
  }

  #pick<Value>(values: readonly Value[]): Value | null {
    return values.length === 0 ? null : this.#options.random.pick(values)
  }

  #request(subject: Subject): ControlRequest {
    const { random, nextOperation } = this.#options
    const operation = nextOperation()
    const present = this.#revisionOf(subject)
    const revision = random.chance(0.08) ? Math.max(1, present + random.pick([-1, 1])) : present
    const asked = { operation, principal: random.pick(principals), reason: `because ${operation}`, revision }
    switch (subject.verb) {
      case 'snooze':
        return {
          ...subject,
          ...asked,
          verb: 'snooze',
          forMs: Math.round(random.spread(shortestSnoozeMs, longestSnoozeMs)),
        }
      case 'review':
        return { ...subject, ...asked, resolution: random.pick(['accepted', 'rejected', 'inconclusive']) }
      default:
        return { ...subject, ...asked } as ControlRequest
    }
  }

  #revisionOf(subject: Subject): number {
    const { oracle } = this.#options
    const monitor = oracle.known.model.monitor(subject.monitorId ?? service)
    if (subject.verb === 'review') return oracle.reviewRevisionOf(subject.actionId)
    if ('incidentId' in subject) return monitor?.episode?.incident?.revision ?? 1
    return monitor?.controlRevision ?? 1
  }

  #send(request: ControlRequest): void {
    const { process, oracle } = this.#options
    send(process(), oracle, request)
  }
}

/** Sends it if there is a process that can be asked, and tells the oracle of the answer. */
export function send(asked: AskedProcess | null, oracle: Oracle, request: ControlRequest): void {
  if (asked === null) return
  oracle.controlRequested(request)
  askFor(asked.controls, request).then(
    () => {
      if (asked.isAlive) oracle.controlAnswered(request)
    },
    (error: unknown) => {
      if (asked.isAlive) oracle.controlRefused(request, error, asked.isPaused || asked.isStopping)
    },
  )
}

function askFor(desk: ControlDesk, request: ControlRequest): Promise<unknown> {
  const { operation, principal, reason, revision } = request
  const by = { operation, principal }
  const words = (text: string) => ({ revision: text, reason, note: null })
  switch (request.verb) {
    case 'acknowledge':
    case 'dismiss':
    case 'reopen': {
      const { verb, incidentId } = request
      return desk.handle(verb, incidentId, words(revisionText('Incident', incidentId, revision)), by)
    }
    case 'note':
      return desk.note(request.incidentId, reason, by)
    case 'review': {
      const { actionId, resolution } = request
      const text = revisionText('Action', actionId, revision)
      return desk.review(actionId, { resolution, evidenceRefs: [] }, words(text), by)
    }
    default: {
      const { monitorId } = request
      const text = revisionText('Monitor', monitorId, revision)
      const wish =
        request.verb === 'snooze'
          ? ({ verb: 'snooze', forMs: request.forMs } as const)
          : request.verb === 'recover'
            ? ({ verb: 'recover', incidentId: null } as const)
            : ({ verb: 'unsnooze' } as const)
      return desk.monitor(monitorId, wish, words(text), by)
    }
  }
}
