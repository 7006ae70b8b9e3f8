// simulation/on-call/on-call-plan.ts: what the simulated fleet says about people: who they are, when they are on call, and
// the policies that page them, as the documents that a fleet file contains. Whoever loses their last endpoint leaves the
// files, with every turn and step that names nobody else.
import type { FleetHead } from '@pulseward/server/internal/config/fleet-file/schema.ts'

export type PersonPlan = NonNullable<FleetHead['people']>[string]
export type SchedulePlan = NonNullable<FleetHead['schedules']>[string]
export type PolicyPlan = NonNullable<FleetHead['policies']>[string]

/** Where people are told. */
export interface OnCallEndpoint {
  readonly name: string
  readonly type: string
  readonly version: number
}

/** Immutable, like the rest of a plan. */
export interface OnCallPlan {
  readonly people: Readonly<Record<string, PersonPlan>>
  readonly schedules: Readonly<Record<string, SchedulePlan>>
  readonly policies: Readonly<Record<string, PolicyPlan>>
  readonly groups: Readonly<Record<string, readonly string[]>>
  /** Told if a policy reaches nobody. */
  readonly lastResort: readonly string[]
  readonly endpoints: ReadonlyMap<string, OnCallEndpoint>
  /** The highest version of an endpoint so far: one that comes back is not the one that went. */
  readonly issued: number
  /** A different number gives every monitor another policy. */
  readonly shift: number
}

/** The files without what refers to something that is not there. */
export function validated(wanted: OnCallPlan): OnCallPlan {
  const { endpoints } = wanted
  const isThere = (name: string) => endpoints.has(name)
  const people = kept(wanted.people, (person) => {
    const own = person.endpoints.filter(isThere)
    return own.length === 0 ? null : { ...person, endpoints: own }
  })
  const groups = kept(wanted.groups, (members) => {
    const left = members.filter(isThere)
    return left.length === 0 ? null : left
  })
  const isPerson = (name: string) => Object.hasOwn(people, name)
  const schedules = kept(wanted.schedules, (schedule) => {
    const layers = schedule.layers
      .map((layer) => ({ ...layer, people: layer.people.filter(isPerson) }))
      .filter((layer) => layer.people.length > 0)
    const overrides = (schedule.overrides ?? []).filter(({ person }) => isPerson(person))
    return layers.length === 0 ? null : { ...schedule, layers, overrides }
  })
  const policies = kept(wanted.policies, (policy) => {
    const steps = policy.steps
      .map((step) => ({
        ...step,
        notify: step.notify.filter(
          ({ schedule, person, group, endpoint }) =>
            (schedule !== undefined && Object.hasOwn(schedules, schedule)) ||
            (person !== undefined && isPerson(person)) ||
            (group !== undefined && Object.hasOwn(groups, group)) ||
            (endpoint !== undefined && isThere(endpoint)),
        ),
      }))
      .filter(({ notify }) => notify.length > 0)
    return steps.length === 0 ? null : { ...policy, steps }
  })
  return { ...wanted, people, groups, schedules, policies, lastResort: wanted.lastResort.filter(isThere) }
}

/** What a fleet file says about them; the endpoints are among the others. */
export function headOf({ people, schedules, policies, groups, lastResort }: OnCallPlan): FleetHead {
  return {
    people,
    schedules,
    policies,
    groups: Object.fromEntries(Object.entries(groups).map(([name, members]) => [name, [...members]])),
    defaults: { notify: { red: { endpoints: [...lastResort] } } },
  }
}

function kept<Value>(
  all: Readonly<Record<string, Value>>,
  change: (value: Value) => Value | null,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => {
      const left = change(value)
      return left === null ? [] : [[name, left]]
    }),
  )
}
