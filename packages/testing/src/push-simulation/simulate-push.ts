// push-simulation/simulate-push.ts: the whole engine with jobs that report by themselves, silent periods, crashes, a slow
// disk and times in which the service is off, all from one seed, against the model. Returns the first difference.
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
  const service = await TestService.start({
    monitors: names.map((name) => push(name, jobs[name]!.config)),
    ...(defect === null ? {} : { look: (process) => defect.plant(process) }),
  })
  const models = new Map(names.map((name) => [name, new PushModel(jobs[name]!.timing)]))
  for (let step = 0; step < steps; step++) {
    const what = random.weighted({ signal: 12, silence: 3, crash: 1, 'crash while storing': 1 })
    if (what === 'signal') await report(service, models, random)
    else if (what === 'silence') await service.advance({ ms: random.whole(1, 90) * second })
    else await crash(service, models, random, what === 'crash while storing')
    await service.advance({ ms: random.whole(0, 30) * 100 })
    const found = difference(service, models)
    if (found !== null) return `step ${step} of seed ${seed}: ${found}`
  }
  return null
}

async function report(
  service: TestService,
  models: ReadonlyMap<string, PushModel>,
  random: Random,
): Promise<void> {
  const name = random.pick([...models.keys()])
  const model = models.get(name)!
  const kind = random.weighted({ success: 5, fail: 2, start: 2, log: 1 })
  const rid = random.pick(['', 'a', 'b'])
  const nowMs = service.clock.wallMs()
  // Neither side may be asked within the slack of a deadline: which comes first is not defined.
  if (isNearDeadline(model, nowMs)) return
  model.until(nowMs)
  if ((await service.signal(name, kind, { rid })) === 'taken') model.signal(kind, rid, nowMs)
}

function isNearDeadline({ dueMs, timing }: PushModel, nowMs: number): boolean {
  return dueMs !== null && Math.abs(dueMs + timing.graceMs - nowMs) <= slackMs
}

/** The process is killed. A signal that was being stored then may be lost, but not one that was acknowledged. */
async function crash(
  service: TestService,
  models: ReadonlyMap<string, PushModel>,
  random: Random,
  whileStoring: boolean,
): Promise<void> {
  // The model judges what came before the crash, so nothing may be due in that moment.
  while ([...models.values()].some((model) => isNearDeadline(model, service.clock.wallMs())))
    await service.advance({ ms: 3 * slackMs })
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
  await service.restart(undefined, { offSeconds: random.whole(0, 150) })
  const upMs = service.clock.wallMs()
  await service.advance({ ms: slackMs })
  for (const one of models.values()) one.down(seenAt ?? fromMs, upMs)
}

function difference(service: TestService, models: ReadonlyMap<string, PushModel>): string | null {
  const nowMs = service.clock.wallMs()
  for (const [name, model] of models) {
    if (isNearDeadline(model, nowMs)) continue
    model.until(nowMs)
    const row = service.rowOf(name)
    const seen = service.engine.reading.reportOf(row)?.state
    if (seen === undefined) return `${name} is not known`
    const failures = consecutiveFailures(service.engine.reading.healthOf(row))
    if (failures !== model.failures) return `${name} has ${failures} failures instead of ${model.failures}`
    const runs = [...seen.runs.keys()].sort().join()
    const expected = [...model.runs].sort().join()
    if (runs !== expected) return `${name} has the open runs "${runs}" instead of "${expected}"`
    if (model.acknowledgedMs !== null && (seen.lastSignalAt ?? 0) < model.acknowledgedMs - slackMs)
      return `${name} has lost a signal that was acknowledged`
    const dueDifferenceMs = Math.abs((seen.dueAt ?? 0) - (model.dueMs ?? 0))
    if (dueDifferenceMs > 2 * slackMs)
      return `${name} is due ${dueDifferenceMs} ms away from where it should be`
  }
  return null
}
