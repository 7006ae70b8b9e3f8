// simulation/workers/worker-door.ts: the part of one process that workers call: what the routes of the edition next put
// around jobs, desk and late reports, without HTTP and token files. The oracle sees every offer and every answer.
import type { v2 } from '@pulseward/contract'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import { ExternalJobs } from '@pulseward/server/internal/external-workers/external-jobs.ts'
import { LateReports } from '@pulseward/server/internal/external-workers/late-reports.ts'
import type { Offer } from '@pulseward/server/internal/external-workers/lease-table.ts'
import type { Poll } from '@pulseward/server/internal/external-workers/long-polls.ts'
import type { Received, Refusal } from '@pulseward/server/internal/external-workers/receipt.ts'
import { type Started, WorkerDesk } from '@pulseward/server/internal/external-workers/worker-desk.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import type { World } from '../world.ts'
import type { WorkerParts } from './worker-parts.ts'

const mostPolls = 64

/** The token no longer belongs to a principal. */
export class Revoked extends Error {}

export interface WorkerDoorOptions {
  readonly world: World
  readonly fleet: Fleet
  readonly ids: () => string
  readonly isAlive: () => boolean
}

export class WorkerDoor {
  readonly jobs: ExternalJobs
  readonly #options: WorkerDoorOptions
  #behind: { readonly desk: WorkerDesk; readonly late: LateReports } | null = null

  constructor(options: WorkerDoorOptions) {
    this.#options = options
    const { world, fleet, ids, isAlive } = options
    const { clock, external } = world
    this.jobs = new ExternalJobs({
      ...{ fleet, clock, ids, mostPolls },
      jobType: (id) => external?.jobTypes.inForce(id) ?? null,
      alarm: (ms, ring) => {
        let isSet = true
        void world.wait(ms).then(() => isSet && isAlive() && ring())
        return () => {
          isSet = false
        }
      },
    })
  }

  /** Called when the engine is made and before it starts. */
  connect(engine: Engine, recovered: Recovered, number: number): void {
    const { jobs } = this
    const { world, fleet } = this.#options
    const { disk, defect } = world
    const { store } = disk
    jobs.connect(engine.reading, recovered)
    const working: WorkerParts['engine'] = {
      request: (unstored, work) => engine.request(unstored, work),
    }
    const asked = {
      request: (...[unstored, work]: Parameters<Engine['request']>) => working.request(unstored, work),
    }
    const late = new LateReports({ jobs, engine: asked, store })
    const desk = new WorkerDesk({ jobs, engine: asked, store, late })
    defect?.workers?.({ engine: working, jobs, desk, late, store, fleet, number })
    this.#witness()
    world.oracle.workers.isUnavailable = () => engine.isPaused || !engine.reading.isAdmitting
    this.#behind = { desk, late }
  }

  async poll(poll: Poll, waitMs: number): Promise<readonly Offer[]> {
    const { jobs } = this
    this.#admit(poll.worker.principal)
    const offers = jobs.offersFor(poll)
    if (offers.length > 0 || waitMs === 0 || jobs.polls.isFull) return offers
    return jobs.polls.wait(poll, waitMs, [], () => {})
  }

  async start(principal: string, asked: v2.StartRequest): Promise<Started | Refusal> {
    this.#admit(principal)
    const { oracle } = this.#options.world
    const heard = oracle.workers.starting(principal, asked)
    return this.#told(await this.#desk.start(principal, asked), heard)
  }

  async heartbeat(
    principal: string,
    asked: v2.HeartbeatRequest,
  ): Promise<{ readonly accepted: boolean } | Refusal> {
    this.#admit(principal)
    const { oracle } = this.#options.world
    const answer = await this.#desk.heartbeat(principal, asked)
    return this.#told(answer, () => oracle.workers.heartbeatAnswered(asked, answer))
  }

  async result(principal: string, outcome: v2.Outcome): Promise<Received | Refusal> {
    this.#admit(principal)
    const { oracle } = this.#options.world
    const heard = oracle.workers.reporting(principal, outcome)
    return this.#told(await this.#desk.result(principal, outcome), heard)
  }

  async evidence(principal: string, asked: v2.LateEvidenceRequest): Promise<Received | Refusal> {
    this.#admit(principal)
    const { oracle } = this.#options.world
    const heard = oracle.workers.addingEvidence(principal, asked)
    return this.#told(await this.#late.evidence(principal, asked), heard)
  }

  /** The token of the principal was removed from the file. */
  revoke(principal: string): void {
    this.jobs.polls.endThoseOf(new Set([principal]), () => new Revoked())
  }

  get #desk(): WorkerDesk {
    if (this.#behind === null) throw new Error('nobody stands behind the door yet')
    return this.#behind.desk
  }

  get #late(): LateReports {
    if (this.#behind === null) throw new Error('nobody stands behind the door yet')
    return this.#behind.late
  }

  #admit(principal: string): void {
    if (this.#options.world.external?.revoked.has(principal)) throw new Revoked()
  }

  /** Answers of a dead process are dropped. */
  #told<Answer>(answer: Answer, heard: (answer: Answer) => void): Answer {
    if (this.#options.isAlive()) heard(answer)
    return answer
  }

  /** Records offers at the moment when they are made: long polls are answered in the middle of turns. */
  #witness(): void {
    const { table, actions } = this.jobs
    const { world, isAlive } = this.#options
    const { workers } = world.oracle
    const carryOut = actions.carryOut.bind(actions)
    actions.carryOut = (started) => {
      if (isAlive()) world.oracle.actionOffered(started)
      return carryOut(started)
    }
    const add = table.add.bind(table)
    table.add = (job, nowMs) => {
      if (isAlive()) {
        if (job.check !== null) world.tally.checks++
        world.oracle.jobCame(job)
      }
      return add(job, nowMs)
    }
    const offer = table.offer.bind(table)
    table.offer = (worker, capabilities, limit, nowMs) => {
      const { capacity } = worker
      const offers = offer(worker, capabilities, limit, nowMs)
      if (isAlive()) workers.offered({ worker, capabilities, capacity, limit, offers })
      return offers
    }
  }
}
