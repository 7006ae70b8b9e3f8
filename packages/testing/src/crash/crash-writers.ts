// crash/crash-writers.ts: clients that create, replace, patch and delete resources over HTTP while the
// service is killed. After each restart every answered write is there, every unanswered one is complete or
// absent, and the events and the records of operations agree.
import { setTimeout as after } from 'node:timers/promises'
import type { v2 } from '@pulseward/contract'
import type { Random } from '../random.ts'
import {
  type Attempt,
  CrashResource,
  type SentResource,
  type ShownResource,
  type WrittenKind,
} from './crash-resource.ts'
import type { KilledService } from './killed-service.ts'

/** The first operator. The service writes its token to a file for the owner of the process. */
const actor = 'first'
const pauseMs = [10, 60] as const

export interface WriteCounts {
  readonly writesAnswered: number
  readonly writesRefused: number
  readonly writesUnanswered: number
  /** Unanswered writes that took effect. */
  readonly writesFound: number
}

type Outcome =
  | { readonly kind: 'made'; readonly version: string | null; readonly operation: string }
  | { readonly kind: 'refused'; readonly status: number; readonly words: string }
  | { readonly kind: 'lost' }

export class CrashWriters {
  readonly violations: string[] = []
  readonly #service: KilledService
  readonly #random: Random
  readonly #targetUrl: string
  readonly #resources: readonly CrashResource[]
  /** Answered, not yet checked. */
  #operations: string[] = []
  #marks = 0
  #counts = { writesAnswered: 0, writesRefused: 0, writesUnanswered: 0, writesFound: 0 }

  constructor(service: KilledService, random: Random, targetUrl: string) {
    this.#service = service
    this.#random = random
    this.#targetUrl = targetUrl
    const some = (kind: WrittenKind, count: number) =>
      Array.from({ length: count }, (_, number) => new CrashResource(kind, `${writtenPrefix}${number}`))
    this.#resources = [
      ...some('Monitor', 4),
      ...some('NotificationEndpoint', 1),
      ...some('NotificationGroup', 1),
      ...some('Credential', 1),
    ]
  }

  get counts(): WriteCounts {
    return this.#counts
  }

  /** Writes until the service is gone. */
  async writeOn(): Promise<void> {
    await Promise.all(this.#resources.map((resource) => this.#writeOnTo(resource)))
  }

  /** Checks every resource in the current process. */
  async look(): Promise<readonly string[]> {
    const wrong = this.violations.splice(0)
    for (const resource of this.#resources) {
      const { kind, id } = resource
      this.#counts.writesUnanswered += resource.open.length
      const answer = await this.#service.callV2(`Get${kind}`, { id })
      const shown = answer.ok ? ((await answer.json()) as ShownResource) : null
      if (answer.status !== 404 && answer.status !== 200) wrong.push(`${kind} ${id} answers ${answer.status}`)
      const { found, wrong: ofResource } = resource.resolve(shown)
      this.#counts.writesFound += found
      wrong.push(...ofResource)
    }
    return [...wrong, ...(await this.#judgeOperations())]
  }

  /** events: the whole history. */
  judgeEvents(events: readonly v2.Event[]): readonly string[] {
    return this.#resources.flatMap((resource) => resource.judgeEvents(events, actor))
  }

  async #judgeOperations(): Promise<readonly string[]> {
    const wrong: string[] = []
    for (const id of this.#operations.splice(0)) {
      const answer = await this.#service.callV2('GetOperation', { id })
      const state = answer.ok ? ((await answer.json()) as v2.Operation).state : answer.status
      if (state !== 'completed') wrong.push(`the record of the operation ${id} says ${state}`)
    }
    return wrong
  }

  async #writeOnTo(resource: CrashResource): Promise<void> {
    while (this.#service.isRunning && this.violations.length === 0) {
      await after(this.#random.between(...pauseMs))
      const isRace = this.#random.chance(0.25)
      const attempts = Array.from({ length: isRace ? 2 : 1 }, () => this.#attempt(resource))
      const { version } = resource
      const outcomes = await Promise.all(attempts.map((attempt) => this.#send(resource, attempt, version)))
      this.#take(resource, attempts, outcomes)
    }
  }

  #take(resource: CrashResource, attempts: readonly Attempt[], outcomes: readonly Outcome[]): void {
    const name = `${resource.kind} ${resource.id}`
    resource.open = attempts.filter((_, index) => outcomes[index]?.kind === 'lost')
    const isRace = attempts.length > 1
    let winners = 0
    for (const [index, outcome] of outcomes.entries()) {
      const attempt = attempts[index]
      if (attempt === undefined || outcome.kind === 'lost') continue
      if (outcome.kind === 'refused') {
        this.#counts.writesRefused++
        if (!isAllowed(outcome.status, isRace))
          this.violations.push(`${attempt.verb} ${name} was refused: ${outcome.status} ${outcome.words}`)
        continue
      }
      winners++
      this.#counts.writesAnswered++
      this.#operations.push(outcome.operation)
      resource.made(attempt, outcome.version)
    }
    if (winners > 1) this.violations.push(`two writers of ${name} with one version have both won`)
  }

  #attempt({ kind, id, sent: before }: CrashResource): Attempt {
    const random = this.#random
    if (before !== null && random.chance(0.15)) return { verb: 'Delete', sent: null }
    const sent = this.#some(kind, id)
    if (before === null) return { verb: 'Create', sent }
    return { verb: random.pick(['Replace', 'Patch']), sent }
  }

  #some(kind: WrittenKind, id: string): SentResource {
    const number = ++this.#marks
    return { metadata: { id, labels: { mark: `mark-${number}` } }, spec: this.#spec(kind, number) }
  }

  #spec(kind: WrittenKind, number: number): object {
    switch (kind) {
      case 'Monitor':
        return {
          check: {
            driver: { type: 'http', config: { url: `${this.#targetUrl}/${writtenPrefix}${number % 7}` } },
            interval: '1s',
            timeout: '1s',
            // Its target fails like the others, but it never opens an incident.
            unhealthyThreshold: 1000,
          },
          tags: [`tag-${number}`],
        }
      case 'NotificationEndpoint':
        return { type: 'webhook', config: { url: `https://hooks.invalid/${number}` } }
      case 'NotificationGroup':
        return { endpointRefs: [`hook-${number % 6}`] }
      case 'Credential':
        return { value: `${secretPrefix}${number}`, description: `of ${number}` }
    }
  }

  async #send(
    { kind, id }: CrashResource,
    { verb, sent }: Attempt,
    version: string | null,
  ): Promise<Outcome> {
    try {
      const answer = await this.#service.callV2(`${verb}${kind}`, {
        id,
        version,
        ...(sent === null ? {} : { body: { apiVersion: 'pulseward/v2', kind, ...sent } }),
      })
      const body = await answer.text()
      if (!answer.ok) return { kind: 'refused', status: answer.status, words: body.slice(0, 200) }
      const shown = verb === 'Delete' ? null : (JSON.parse(body) as v2.Resource)
      return {
        kind: 'made',
        version: shown?.metadata.resourceVersion ?? null,
        operation: answer.headers.get('x-operation-id') ?? '',
      }
    } catch {
      // The answer was cut off or never came: the write may or may not have taken effect.
      return { kind: 'lost' }
    }
  }
}

/** Any text with this prefix on disk is the value of a credential in plain text. */
export const secretPrefix = 'never-in-the-clear-'

/** Ids of written resources start with this; no id of the fleet file does. */
export const writtenPrefix = 'written-'

/**
 * The loser of a race sees another version, or none; a service that is stopping or cannot store answers with a refusal.
 */
function isAllowed(status: number, isRace: boolean): boolean {
  return status === 503 || (isRace && (status === 412 || status === 404))
}
