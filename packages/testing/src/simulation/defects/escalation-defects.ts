// simulation/defects/escalation-defects.ts: defects in who is paged, when, and how often: only seeds with policies show them.
import type { FleetDefinition } from '@pulseward/server/internal/config/fleet-file/definition.ts'
import { type ScheduleDefinition, severities } from '@pulseward/server/internal/config/fleet-file/on-call.ts'
import type { PageOrder } from '@pulseward/server/internal/deciding/actions/page-order.ts'
import type { Health } from '@pulseward/server/internal/deciding/health/health.ts'
import type { EscalationDecision } from '@pulseward/server/internal/deciding/on-call/escalation-decision.ts'
import type { Page } from '@pulseward/server/internal/deciding/on-call/page.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import { type Defect, type Defects, replace } from './defect.ts'

type Send = Extract<PageOrder, { is: 'send' }>
type Mutable<Part> = { -readonly [Name in keyof Part]: Part[Name] }
type Present = Pick<FleetDefinition, 'people' | 'schedules' | 'endpoints'>

export const escalationDefects: Defects = {
  'acknowledgement-cancels-nothing': {
    summary: 'An acknowledgement stops the policy, and what is queued goes out all the same.',
    engine: withOrders((order) => order.is === 'send' || order.because.kind !== 'control'),
  },
  'step-again-after-restart': {
    summary: 'The next process tells the last step once more.',
    recovered: withPages((page) =>
      page.run.is === 'running' && page.step > 0
        ? { ...page, step: page.step - 1, run: { ...page.run, nextAt: page.openedAt } }
        : page,
    ),
  },
  'pages-lost-in-restart': {
    summary: 'The next process knows of no page.',
    recovered: (recovered) => ({ ...recovered, escalations: [] }),
  },
  'minutes-lost-in-restart': {
    summary: 'The next process does not know who was paged a moment ago.',
    recovered: (recovered) => ({
      ...recovered,
      escalations: recovered.escalations.filter(({ key }) => !key.startsWith('minutes ')),
    }),
  },
  'on-call-resolved-early': {
    summary: 'A step tells whoever was on call when the page was opened.',
    engine: withPresent(({ schedules }, { pages }, now) => {
      const openedAt = Math.min(now, ...pages.map((page) => page.openedAt))
      return { schedules: changed(schedules, (schedule) => later(schedule, now - openedAt)) }
    }),
  },
  'quiet-hours-in-another-zone': {
    summary: 'Quiet hours are those of UTC, wherever people are.',
    engine: withPresent(({ people, schedules }) => ({
      people: changed(people, (person) => ({ ...person, timezone: 'UTC' })),
      schedules,
    })),
  },
  'empty-step-waits': {
    summary: 'A step that reaches nobody takes its time.',
    engine: (parts) => {
      phantomOnCall(parts)
      withDecisions(withoutPhantom)(parts)
    },
  },
  'policy-changed-under-page': {
    summary: 'An open page takes a changed policy.',
    engine: beforeEach(({ fleet }, page) => {
      const rules = fleet.definition.escalationPolicies.get(page.policy)
      if (rules !== undefined && rules.steps.length === page.rules.steps.length) page.rules = rules
    }),
  },
  'storm-pages-each': {
    summary: 'Every incident of a storm opens a page.',
    engine: beforeEach((_, page) => {
      page.openedAt = 0
    }),
  },
  'told-page-not-joined': {
    summary: 'Nothing joins a page that has told its last step.',
    engine: beforeEach((_, page) => {
      if (page.run.is === 'spent') page.openedAt = 0
    }),
  },
  'worse-joins-told-page': {
    summary: 'An incident that is more severe joins a page that has told its last step.',
    engine: ({ escalations }) =>
      replace(escalations, 'follow', (follow) => (step, now) => {
        const policy = step.policy()
        const isJoined = escalations.pages.some(
          (page) => page.policy === policy && page.run.is === 'spent' && page.openedAt + 60_000 > now,
        )
        return follow(isJoined ? { ...step, severity: () => 'info' } : step, now)
      }),
  },
  'named-after-what-is-over': {
    summary: 'A page keeps the name of a monitor that has recovered.',
    engine: (parts) => {
      const leads = new Map<string, Pick<Page, 'lead' | 'severity'>>()
      beforeEach((_, page) => {
        const { id, lead, severity } = page
        const known = leads.get(id)
        const isWorse =
          known !== undefined && severities.indexOf(severity) < severities.indexOf(known.severity)
        if (known === undefined || isWorse) leads.set(id, { lead, severity })
        else Object.assign(page, known)
      })(parts)
    },
  },
  'twice-a-minute': {
    summary: 'A person gets pages of a policy as they come.',
    engine: withSent((order) => ({ ...order, later: null })),
  },
  'first-endpoint-only': {
    summary: 'No other endpoint is tried.',
    engine: withOrders((order) => order.because.kind !== 'next_endpoint'),
  },
  'end-untold': {
    summary: 'Nobody hears of the end of a page.',
    engine: withOrders((order) => order.is === 'withdraw' || order.news.stage !== 'ended'),
  },
  'answer-untold': {
    summary: 'Nobody hears that somebody takes care of it.',
    engine: withOrders((order) => order.is === 'withdraw' || order.news.stage !== 'acknowledged'),
  },
  'snooze-ignored-by-policies': {
    summary: 'A snooze does not pause a policy.',
    engine: withHealth((health) => ({ ...health, snooze: null })),
  },
  'maintenance-ignored-by-policies': {
    summary: 'Maintenance does not pause a policy.',
    engine: withHealth((health) => ({ ...health, maintenance: null })),
  },
  'severity-forgotten': {
    summary: 'Every page is as bad as a warning.',
    engine: ({ escalations }) =>
      replace(
        escalations,
        'follow',
        (follow) => (step, now) => follow({ ...step, severity: () => 'warning' }, now),
      ),
  },
  'nobody-told-of-nobody': {
    summary: 'A round that reaches nobody tells nobody.',
    engine: withOrders((order) => order.is === 'withdraw' || order.news.stage !== 'nobody'),
  },
  'told-one-less': {
    summary: 'A step tells one endpoint less than it should.',
    engine: withDecisions((decision) => {
      const told = decision.orders.filter((order) => order.is === 'send' && order.news.stage === 'step')
      return told.length < 2
        ? decision
        : { ...decision, orders: decision.orders.filter((order) => order !== told.at(-1)) }
    }),
  },
  'step-of-another-reason': {
    summary: 'The reason of a step names the one before it.',
    engine: withSent((order) =>
      order.because.kind === 'policy_step'
        ? { ...order, because: { ...order.because, step: order.because.step - 1 } }
        : order,
    ),
  },
}

/** Every call that decides something of pages. */
const deciding = ['follow', 'answered', 'due', 'monitorGone'] as const

function withDecisions(change: (decision: EscalationDecision) => EscalationDecision) {
  return ({ escalations }: Pick<EngineParts, 'escalations'>): void => {
    replace(escalations, 'follow', (follow) => (step, now) => change(follow(step, now)))
    replace(escalations, 'answered', (answered) => (report, now) => change(answered(report, now)))
    replace(escalations, 'due', (due) => (now) => change(due(now)))
    replace(escalations, 'monitorGone', (gone) => (monitorId, now) => change(gone(monitorId, now)))
  }
}

function withOrders(isKept: (order: PageOrder) => boolean) {
  return withDecisions((decision) => ({ ...decision, orders: decision.orders.filter(isKept) }))
}

function withSent(change: (order: Send) => Send) {
  return withDecisions((decision) => ({
    ...decision,
    orders: decision.orders.map((order) => (order.is === 'send' ? change(order) : order)),
  }))
}

function withHealth(change: (health: Health) => Health): NonNullable<Defect['engine']> {
  return ({ escalations }) =>
    replace(
      escalations,
      'follow',
      (follow) => (step, now) =>
        follow({ ...step, before: change(step.before), after: change(step.after) }, now),
    )
}

function withPages(change: (page: Page) => Page) {
  return (recovered: Recovered): Recovered => ({
    ...recovered,
    escalations: recovered.escalations.map((record) =>
      record.value !== null && 'rules' in record.value
        ? { key: `page ${record.value.id}` as const, value: change(record.value) }
        : record,
    ),
  })
}

/** Changes every open page before each call. */
function beforeEach(change: (parts: EngineParts, page: Mutable<Page>) => void) {
  return (parts: EngineParts): void => {
    const { escalations } = parts
    const all = () => {
      for (const page of escalations.pages) change(parts, page)
    }
    for (const name of deciding)
      replace(escalations, name, (decide: (...values: never[]) => EscalationDecision) => {
        return (...values: never[]) => {
          all()
          return decide(...values)
        }
      })
  }
}

/** The people and schedules that a step sees. */
function withPresent(
  change: (fleet: Present, escalations: EngineParts['escalations'], now: number) => Partial<Present>,
) {
  return ({ escalations, fleet, time }: EngineParts): void => {
    for (const name of deciding)
      replace(escalations, name, (decide: (...values: never[]) => EscalationDecision) => {
        return (...values: never[]) => {
          const { definition } = fleet
          const value = { ...definition, ...change(definition, escalations, time.now()) }
          Object.defineProperty(fleet, 'definition', { configurable: true, value })
          try {
            return decide(...values)
          } finally {
            // The fleet has the property of its class again.
            Reflect.deleteProperty(fleet, 'definition')
          }
        }
      })
  }
}

const phantom = 'phantom'

/** Somebody who is on call when nobody is, and who cannot be told. */
function phantomOnCall(parts: EngineParts): void {
  const always = { people: [phantom], everyMs: 3_600_000, startMs: 0, hours: null }
  withPresent(({ people, schedules, endpoints }) => ({
    people: new Map(people).set(phantom, { name: null, timezone: null, endpoints: [phantom] }),
    schedules: changed(schedules, (schedule) => ({ ...schedule, layers: [always, ...schedule.layers] })),
    endpoints: new Map(endpoints).set(phantom, { type: 'log', config: {} }),
  }))(parts)
}

function withoutPhantom(decision: EscalationDecision): EscalationDecision {
  const orders = decision.orders.filter((order) => order.is === 'withdraw' || order.endpoint !== phantom)
  const events = decision.events.map((event) => {
    const { policy, people } = event.detail
    const { because } = event
    if (people?.join() !== phantom || because.kind !== 'policy_step') return event
    const { people: _, ...detail } = event.detail
    const { round, step } = because
    return {
      ...event,
      because: { kind: 'nobody_on_call', policy, round, step } as const,
      detail: { ...detail, phase: 'skipped' as const },
    }
  })
  return { ...decision, orders, events }
}

/** The same turns, so much later. */
function later(schedule: ScheduleDefinition, ms: number): ScheduleDefinition {
  return {
    ...schedule,
    layers: schedule.layers.map((layer) => ({ ...layer, startMs: layer.startMs + ms })),
    overrides: schedule.overrides.map((one) => ({ ...one, fromMs: one.fromMs + ms, toMs: one.toMs + ms })),
  }
}

function changed<Value>(
  all: ReadonlyMap<string, Value>,
  change: (value: Value) => Value,
): Map<string, Value> {
  return new Map(Array.from(all, ([name, value]) => [name, change(value)]))
}
