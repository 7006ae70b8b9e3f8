// simulation/people.ts: everybody who uses the service: people who write resources, send controls, and do both to many at
// once. Each kind has a separate random stream, so that seeds without it keep their course. Around their requests the
// process dies and the disk fills up more often than by chance. When the calm phase begins they clean up everything.
import type { FakeClock } from '../engine/fake-clock.ts'
import { Random } from '../random.ts'
import type { Agenda } from './agenda.ts'
import { ControlSender } from './controls/control-sender.ts'
import { NoteSender } from './controls/note-sender.ts'
import type { FleetPlan } from './fleet-plan.ts'
import { type Hazard, moments } from './hazard.ts'
import { OperationSender } from './operations/operation-sender.ts'
import type { Oracle } from './oracle/oracle.ts'
import type { ServiceProcess } from './service-process.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import { count, type Tally } from './tally.ts'
import { ResourceWriter } from './writes/resource-writer.ts'

const minuteMs = 60_000
const settleEveryMs = 5_000

export interface PeopleOptions {
  readonly seed: number
  /** Multiplies how much they do. */
  readonly storm: number
  readonly who: {
    readonly writes: boolean
    readonly routes: boolean
    readonly controls: boolean
    readonly notes: boolean
    readonly operations: boolean
  }
  readonly agenda: Agenda
  readonly clock: FakeClock
  readonly disk: SimulatedDisk
  readonly hazard: Hazard
  readonly oracle: Oracle
  readonly tally: Tally
  readonly calmFromMs: number
  /** Null while no process can be asked. */
  readonly process: () => ServiceProcess | null
  /** The running fleet. */
  readonly plan: () => FleetPlan
}

/** What one kind of people does, and how often. */
interface Habit {
  readonly random: Random
  /** On average. */
  readonly everyMs: number
  readonly act: () => void
  /** Sent a few milliseconds later, while the first request may be on its way to the disk. */
  readonly followUp: (() => void) | null
  readonly settle: () => void
  readonly crashShare: number
  readonly fullShare: number
}

export class People {
  readonly #options: PeopleOptions
  readonly #operator: OperationSender | null
  readonly #habits: readonly Habit[]
  #hasAsked = false

  constructor(options: PeopleOptions) {
    this.#options = options
    const { seed, oracle, clock, process, plan, who } = options
    let operations = 0
    const nextOperation = () => ++operations
    const writeRandom = new Random(seed + 0x5eed)
    const askRandom = new Random(seed + 0xa5ed)
    const operateRandom = new Random(seed + 0x0bea)
    const noteRandom = new Random(seed + 0x0701)
    const writer = new ResourceWriter({
      random: writeRandom.fork(),
      oracle,
      desk: () => process()?.writes ?? null,
      wallMs: () => clock.wallMs(),
      plan,
      nextOperation,
      hasRoutes: who.routes,
    })
    const sender = new ControlSender({ random: askRandom.fork(), oracle, process, nextOperation })
    const notes = new NoteSender({ random: noteRandom.fork(), oracle, process, nextOperation })
    const operator = new OperationSender({
      random: operateRandom.fork(),
      oracle,
      process,
      nextOperation,
      someWanted: (kind) => writer.someWanted(kind),
      hasRoutes: who.routes,
    })
    this.#operator = who.operations ? operator : null
    const [writes, controls, many] = [
      habitOf(writer, { random: writeRandom, everyMs: 2 * minuteMs, crashShare: 0.02, fullShare: 0.03 }),
      habitOf(sender, { random: askRandom, everyMs: 2 * minuteMs, crashShare: 0.02, fullShare: 0.02 }),
      habitOf(operator, { random: operateRandom, everyMs: minuteMs, crashShare: 0.03, fullShare: 0.02 }),
    ]
    this.#habits = [
      ...(who.writes ? [writes] : []),
      ...(who.controls ? [controls] : []),
      ...(who.operations ? [many] : []),
      ...(who.notes
        ? [habitOf(notes, { random: noteRandom, everyMs: 2 * minuteMs, crashShare: 0.01, fullShare: 0.01 })]
        : []),
    ]
  }

  begin(): void {
    for (const habit of this.#habits) this.#plan(habit)
  }

  /** Whether the service got an input, or has work to continue in its next microtasks. */
  takeNews(): boolean {
    const hasAsked = this.#hasAsked || this.#operator !== null
    this.#hasAsked = false
    return hasAsked
  }

  /** The process is gone, and with it the answers that it owed. */
  processEnded(): void {
    this.#operator?.processEnded()
  }

  #plan(habit: Habit): void {
    const { random, everyMs, act, followUp, settle } = habit
    const { agenda, clock, storm } = this.#options
    const waitMs = this.#isStormy ? (-Math.log(1 - random.next()) * everyMs) / storm : settleEveryMs
    agenda.at(clock.trueMs + waitMs, () => {
      this.#hasAsked = true
      if (!this.#isStormy) settle()
      else {
        act()
        if (followUp !== null)
          agenda.at(clock.trueMs + random.whole(1, 9), () => {
            followUp()
            this.#hasAsked = true
          })
        this.#disturb(habit)
      }
      this.#plan(habit)
    })
  }

  #disturb({ random, crashShare, fullShare }: Habit): void {
    if (random.chance(crashShare))
      this.#options.hazard.arm(random.pick(moments.slice(0, 3)), random.whole(0, 2))
    if (random.chance(fullShare)) this.#fillDisk(random.whole(1_000, 5_000))
  }

  /**
   * Fills the disk while a request is on its way there, which seldom happens by chance: other writes usually
   * find it full first.
   */
  #fillDisk(ms: number): void {
    const { disk, agenda, clock, tally, calmFromMs } = this.#options
    if (disk.isFull) return
    count(tally.faults, 'full disk under what people ask')
    disk.isFull = true
    agenda.at(Math.min(clock.trueMs + ms, calmFromMs), () => {
      disk.isFull = false
    })
  }

  get #isStormy(): boolean {
    return this.#options.clock.trueMs < this.#options.calmFromMs
  }
}

interface Person {
  act(): void
  followUp?(): void
  settle(): void
}

function habitOf(
  person: Person,
  habit: Pick<Habit, 'random' | 'everyMs' | 'crashShare' | 'fullShare'>,
): Habit {
  const { followUp } = person
  return {
    ...habit,
    act: () => person.act(),
    followUp: followUp === undefined ? null : () => followUp.call(person),
    settle: () => person.settle(),
  }
}
