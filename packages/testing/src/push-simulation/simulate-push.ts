// push-simulation/simulate-push.ts: the whole engine with jobs that report by themselves, silent periods, crashes, a slow
// disk, a full one, times in which the service is off, clocks that are set and people who disable monitors, all from one
// seed, against the model. Returns the first difference.
import type { MonitorDocument } from '@pulseward/server/internal/config/fleet-file/schema.ts'
import { consecutiveFailures } from '@pulseward/server/internal/deciding/health/status.ts'
import { push, TestService } from '../engine/test-service.ts'
import { Random } from '../random.ts'
import type { PushDefect } from './push-defects.ts'
import { type ModelTiming, PushModel } from './push-model.ts'

const second = 1_000

const jobs: Readonly<Record<string, { readonly timing: ModelTiming; readonly config: object }>> = {
  quick: {
    timing: { everyMs: 10 * second, graceMs: 3 * second, earlyMs: 0 },
    config: { every: '10s', grace: '3s' },
  },
  slow: {
    timing: { everyMs: 40 * second, graceMs: 9 * second, earlyMs: 0 },
    config: { every: '40s', grace: '9s' },
  },
  minutely: {
    timing: { everyMs: null, graceMs: 20 * second, earlyMs: 15 * second },
    config: { cron: '* * * * *', grace: '20s' },
  },
}

/** A deadline is noticed within a tick or two of the loop. */
const slackMs = 100

export interface PushSimulation {
  readonly seed: number
  readonly steps: number
  readonly defect: PushDefect | null
}

/** Null if the service did what the model says. */
export async function simulatePush({ seed, steps, defect }: PushSimulation): Promise<string | null> {
  const random = new Random(seed)
  const names = Object.keys(jobs)
  const models = new Map(names.map((name) => [name, new PushModel(jobs[name]!.timing)]))
  const service = await TestService.start({
    monitors: monitorsOf(models),
    ...(defect === null ? {} : { look: (process) => defect.plant(process) }),
  })
  for (let step = 0; step < steps; step++) {
    await deeds[random.weighted(weights)](service, models, random)
    await service.advance({ ms: random.whole(0, 30) * 100 })
    const found = difference(service, models)
    if (found !== null) return `step ${step} of seed ${seed}: ${found}`
  }
  return null
}

type Models = ReadonlyMap<string, PushModel>
type Deed = (service: TestService, models: Models, random: Random) => Promise<void>

const weights = {
  signal: 24,
  silence: 6,
  crash: 2,
  'crash while storing': 2,
  'full disk': 2,
  'clock set': 2,
  disable: 2,
} as const

const deeds: Readonly<Record<keyof typeof weights, Deed>> = {
  signal: report,
  silence: (service, _, random) => service.advance({ ms: random.whole(1, 90) * second }),
  crash: (service, models, random) => crash(service, models, random, false),
  'crash while storing': (service, models, random) => crash(service, models, random, true),
  'full disk': fillDisk,
  'clock set': setClock,
  disable: disableOrEnable,
}

async function report(service: TestService, models: Models, random: Random): Promise<void> {
  const name = random.pick([...models.keys()])
  const model = models.get(name)!
  const kind = random.weighted({ success: 5, fail: 2, start: 2, log: 1 })
  const rid = random.pick(['', 'a', 'b'])
  const nowMs = service.clock.wallMs()
  // Neither side may be asked within the slack of a deadline: which comes first is not defined.
  if (isNearDeadline(model, nowMs)) return
  model.until(nowMs)
  const answer = await service.signal(name, kind, { rid })
  if (answer === 'taken' || answer === 'disabled') model.signal(kind, rid, nowMs)
}

/** Nothing can be stored for a while: no signal is taken, and none is missed. */
async function fillDisk(service: TestService, models: Models, random: Random): Promise<void> {
  await leaveDeadlines(service, models)
  const fromMs = service.clock.wallMs()
  for (const model of models.values()) model.until(fromMs)
  service.engine.pause()
  await service.advance({ ms: random.whole(1, 60) * second })
  const refused = await service.signal(random.pick([...models.keys()]))
  if (refused !== 'unavailable') throw new Error(`a signal that cannot be stored is ${refused}`)
  service.engine.resume()
  for (const model of models.values()) model.stalled(fromMs, service.clock.wallMs())
  // Meanwhile it was asked once per second whether a deadline may be judged.
  await service.advance({ seconds: 1.2 })
}

async function setClock(service: TestService, models: Models, random: Random): Promise<void> {
  await leaveDeadlines(service, models)
  for (const model of models.values()) model.until(service.clock.wallMs())
  const stepMs = random.whole(2, 2_000) * second * (random.chance(0.5) ? 1 : -1)
  service.clock.jumpWall(stepMs)
  for (const model of models.values()) model.clockSet(stepMs, service.clock.wallMs())
  await service.advance({ ms: slackMs })
}

async function disableOrEnable(service: TestService, models: Models, random: Random): Promise<void> {
  await leaveDeadlines(service, models)
  const nowMs = service.clock.wallMs()
  for (const one of models.values()) one.until(nowMs)
  const model = random.pick([...models.values()])
  if (model.isDisabled) model.enable(nowMs)
  else model.disable()
  await service.reload({ monitors: monitorsOf(models) })
  await service.advance({ ms: slackMs })
}

/** The model judges what came before, so nothing may be due in that moment. */
async function leaveDeadlines(service: TestService, models: Models): Promise<void> {
  while ([...models.values()].some((model) => isNearDeadline(model, service.clock.wallMs())))
    await service.advance({ ms: 3 * slackMs })
}

function monitorsOf(models: Models): MonitorDocument[] {
  return Array.from(models, ([name, { isDisabled }]) => ({
    ...push(name, jobs[name]!.config),
    enabled: !isDisabled,
  }))
}

function isNearDeadline({ deadlineMs }: PushModel, nowMs: number): boolean {
  return deadlineMs !== null && Math.abs(deadlineMs - nowMs) <= slackMs
}

/** The process is killed. A signal that was being stored then may be lost, but not one that was acknowledged. */
async function crash(
  service: TestService,
  models: Models,
  random: Random,
  whileStoring: boolean,
): Promise<void> {
  await leaveDeadlines(service, models)
  const fromMs = service.clock.wallMs()
  for (const model of models.values()) model.until(fromMs)
  const [name, model] = random.pick([...models])
  let isAcknowledged = false
  if (whileStoring) {
    service.holdCommits()
    void service.signal(name, 'success').then((taken) => {
      isAcknowledged = taken === 'taken'
    })
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  }
  if (isAcknowledged) model.signal('success', '', fromMs)
  // The next process knows only when the last commit was: from then on nobody may have been heard.
  const { seenAt } = (await service.store.recover(0)).retention
  await service.restart({ monitors: monitorsOf(models) }, { offSeconds: random.whole(0, 150) })
  const upMs = service.clock.wallMs()
  await service.advance({ ms: slackMs })
  for (const one of models.values()) one.down(seenAt ?? fromMs, upMs)
}

function difference(service: TestService, models: Models): string | null {
  const nowMs = service.clock.wallMs()
  for (const [name, model] of models) {
    model.until(nowMs - slackMs)
    if (isNearDeadline(model, nowMs)) continue
    const row = service.rowOf(name)
    const seen = service.engine.reading.reportOf(row)?.state
    if (seen === undefined) return `${name} is not known`
    const failures = consecutiveFailures(service.engine.reading.healthOf(row))
    if (model.isDueKnown && failures !== model.failures)
      return `${name} has ${failures} failures instead of ${model.failures}`
    const runs = [...seen.runs.keys()].sort().join()
    const expected = [...model.runs.keys()].sort().join()
    if (runs !== expected) return `${name} has the open runs "${runs}" instead of "${expected}"`
    if (model.acknowledgedMs !== null && (seen.lastSignalAt ?? 0) < model.acknowledgedMs - slackMs)
      return `${name} has lost a signal that was acknowledged`
    const dueDifferenceMs = Math.abs((seen.dueAt ?? 0) - (model.dueMs ?? 0))
    if (model.isDueKnown && dueDifferenceMs > 2 * slackMs)
      return `${name} is due ${dueDifferenceMs} ms away from where it should be`
  }
  return null
}
