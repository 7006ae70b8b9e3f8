// simulation/on-call/on-call-changes.ts: what people do to their schedules and policies: rotations, overrides, quiet hours
// and steps change, endpoints go and come back, and monitors get other policies while their incidents are open.

import type { Random } from '../../random.ts'
import type { OnCallEndpoint, OnCallPlan, PolicyPlan, SchedulePlan } from './on-call-plan.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Zones that change their clocks in the simulated days, and others. */
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'] as const

const owned: Readonly<Record<string, readonly string[]>> = {
  // The landline is where two people are told, and where a step names nobody in particular.
  ana: ['ana-push', 'ana-phone', 'landline'],
  bo: ['bo-push', 'landline'],
  cy: ['cy-push'],
}
const leads = ['lead-1', 'lead-2']
const fallback = 'switchboard'

type Change = (plan: OnCallPlan, random: Random, wallMs: number) => OnCallPlan

const changes: Readonly<Record<string, Change>> = {
  policy: (plan, random) => {
    const name = random.pick(Object.keys(plan.policies))
    return { ...plan, policies: { ...plan.policies, [name]: somePolicy(name, random) } }
  },
  schedule: (plan, random, wallMs) => {
    const name = random.pick(['primary', 'gaps'])
    return { ...plan, schedules: { ...plan.schedules, [name]: someSchedule(name, random, wallMs) } }
  },
  override: (plan, random, wallMs) => {
    const primary = { ...plan.schedules['primary']!, overrides: someOverrides(random, wallMs) }
    return { ...plan, schedules: { ...plan.schedules, primary } }
  },
  zones: (plan, random) => ({ ...plan, people: somePeople(random) }),
  'endpoint goes': (plan, random) => {
    const gone = random.pick([...plan.endpoints.keys()])
    return plan.endpoints.size <= 3
      ? plan
      : { ...plan, endpoints: new Map([...plan.endpoints].filter(([name]) => name !== gone)) }
  },
  'endpoint comes': (plan) => {
    const issued = plan.issued + 1
    return { ...plan, issued, endpoints: new Map([...allEndpoints(issued), ...plan.endpoints]) }
  },
  'endpoint changes': (plan, random) => {
    const one = random.pick([...plan.endpoints.values()])
    const version = plan.issued + 1
    return { ...plan, issued: version, endpoints: new Map(plan.endpoints).set(one.name, { ...one, version }) }
  },
  'other policies': (plan, random) => ({ ...plan, shift: plan.shift + random.whole(1, 5) }),
}

export function firstOnCall(random: Random, wallMs: number): OnCallPlan {
  return {
    people: somePeople(random),
    schedules: {
      primary: someSchedule('primary', random, wallMs),
      gaps: someSchedule('gaps', random, wallMs),
      // Its first turn begins long after the simulation has ended.
      empty: { layers: [{ people: ['cy'], start: '2090-01-01T00:00' }] },
    },
    policies: Object.fromEntries(
      ['page', 'night', 'team', 'nobody'].map((name) => [name, somePolicy(name, random)]),
    ),
    groups: { leads },
    lastResort: [fallback],
    endpoints: allEndpoints(1),
    issued: 1,
    shift: 0,
  }
}

/** A changed plan, and a word that says what is different. */
export function nextOnCall(
  plan: OnCallPlan,
  random: Random,
  wallMs: number,
): { readonly plan: OnCallPlan; readonly word: string } {
  const word = random.weighted({
    policy: 4,
    schedule: 3,
    override: 3,
    zones: 1,
    'endpoint goes': 3,
    'endpoint comes': 2,
    'endpoint changes': 3,
    'other policies': 1,
  })
  return { plan: changes[word]!(plan, random, wallMs), word: `on call: ${word}` }
}

/** Every endpoint is there, and none of them is dead any longer. */
export function settledOnCall(plan: OnCallPlan): OnCallPlan {
  const issued = plan.issued + 1
  return { ...plan, issued, endpoints: allEndpoints(issued) }
}

function allEndpoints(version: number): ReadonlyMap<string, OnCallEndpoint> {
  const names = new Set([...Object.values(owned).flat(), ...leads, fallback])
  return new Map(Array.from(names, (name) => [name, { name, type: 'webhook', version }]))
}

function somePeople(random: Random): OnCallPlan['people'] {
  return Object.fromEntries(
    Object.entries(owned).map(([name, endpoints]) => [
      name,
      { endpoints: [...endpoints], ...(random.chance(0.7) ? { timezone: random.pick(zones) } : {}) },
    ]),
  )
}

function someSchedule(name: string, random: Random, wallMs: number): SchedulePlan {
  const start = written(wallMs - random.whole(1, 100) * hourMs)
  const night = { people: ['cy'], start, hours: [{ days: everyDay(), from: '23:00', to: '03:00' }] }
  const shifts = { people: ['ana', 'bo'], every: random.pick(['1h', '2h', '1d']), start }
  const daily = {
    ...shifts,
    hours: [{ days: everyDay(), from: `0${random.whole(0, 9)}:30`, to: `1${random.whole(0, 9)}:00` }],
  }
  return {
    timezone: random.pick(zones),
    layers: name === 'gaps' ? [daily] : random.chance(0.5) ? [shifts, night] : [shifts],
    overrides: name === 'gaps' ? [] : someOverrides(random, wallMs),
  }
}

/** One after the other, so that no two of them overlap. */
function someOverrides(random: Random, wallMs: number): NonNullable<SchedulePlan['overrides']> {
  const overrides: NonNullable<SchedulePlan['overrides']>[number][] = []
  let fromMs = wallMs - random.whole(0, 600) * 60_000
  for (let left = random.whole(0, 2); left > 0; left--) {
    const toMs = fromMs + random.whole(10, 300) * 60_000
    overrides.push({ from: written(fromMs), to: written(toMs), person: random.pick(Object.keys(owned)) })
    fromMs = toMs + random.whole(0, 120) * 60_000
  }
  return overrides
}

function somePolicy(name: string, random: Random): PolicyPlan {
  const wait = () => `${random.pick([20, 45, 90, 300, 600])}s`
  const repeat = random.whole(0, 3)
  const ackTimeout = random.chance(0.6) ? { ack_timeout: `${random.whole(5, 60)}m` } : {}
  switch (name) {
    case 'page':
      return {
        steps: [
          { notify: [{ schedule: 'primary' }], wait: wait() },
          {
            notify: [{ schedule: 'primary', all_endpoints: true }, { person: 'ana' }, { group: 'leads' }],
            wait: wait(),
          },
        ],
        repeat,
        ...ackTimeout,
      }
    case 'night':
      return {
        steps: [{ notify: [{ person: 'ana' }, { person: 'bo' }, { endpoint: 'lead-1' }], wait: wait() }],
        repeat,
        ...someQuiet(random),
        ...ackTimeout,
      }
    case 'team':
      return {
        steps: [
          { notify: [{ schedule: 'gaps' }], wait: wait() },
          { notify: [{ person: 'cy' }, { endpoint: 'landline' }, { person: 'bo' }], wait: wait() },
        ],
        repeat,
        ...someQuiet(random),
      }
    default:
      return { steps: [{ notify: [{ schedule: 'empty' }], wait: wait() }], repeat: random.whole(0, 1) }
  }
}

function someQuiet(random: Random): Pick<PolicyPlan, 'quiet'> {
  if (random.chance(0.2)) return {}
  const from = random.whole(0, 23)
  const to = (from + random.whole(2, 14)) % 24
  return {
    quiet: {
      hours: `${hour(from)}-${hour(to)}`,
      zone: random.chance(0.7) ? 'person' : random.pick(zones),
      severities: random.chance(0.5) ? ['warning'] : ['warning', 'critical'],
      // biome-ignore lint/suspicious/noThenProperty: what follows from quiet hours; nobody awaits a plan.
      ...(random.chance(0.4) ? { then: 'drop' as const } : {}),
    },
  }
}

function hour(number: number): string {
  return `${String(number).padStart(2, '0')}:00`
}

function everyDay(): NonNullable<SchedulePlan['layers'][number]['hours']>[number]['days'] {
  return ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
}

/** As in a fleet file. Whose clocks show it does not matter. */
function written(ms: number): string {
  return new Date(Math.max(ms, dayMs)).toISOString().slice(0, 16)
}
