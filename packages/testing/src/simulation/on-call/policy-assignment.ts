// simulation/on-call/policy-assignment.ts: which policy each monitor of the files has, and how bad its red is, by its number.
import type { Severity } from '@pulseward/server/internal/config/fleet-file/on-call.ts'
import { type FleetPlan, numberOf, type PlannedMonitor } from '../fleet-plan.ts'
import { type OnCallPlan, validated } from './on-call-plan.ts'

const policyNames = ['page', 'page', 'night', 'team', 'nobody', null] as const
const severities = ['critical', 'warning', 'info'] as const satisfies readonly Severity[]

/** Gives policies to the monitors of a plan; those that are as before stay the same objects. */
export class PolicyAssignment {
  readonly #known = new Map<string, { readonly from: PlannedMonitor; readonly to: PlannedMonitor }>()

  assign({ monitors, endpoints }: FleetPlan, wanted: OnCallPlan): FleetPlan {
    const onCall = validated(wanted)
    const assigned = Array.from(monitors.values(), (one): [string, PlannedMonitor] => [
      one.id,
      this.#withPolicy(one, onCall),
    ])
    return {
      monitors: new Map(assigned),
      endpoints: new Map([...endpoints, ...onCall.endpoints]),
      onCall,
    }
  }

  #withPolicy(from: PlannedMonitor, { shift, policies }: OnCallPlan): PlannedMonitor {
    const number = numberOf(from.id)
    const wanted = policyNames[(number + shift) % policyNames.length] ?? null
    const policy = wanted !== null && Object.hasOwn(policies, wanted) ? wanted : null
    const known = this.#known.get(from.id)
    if (known?.from === from && known.to.policy === policy) return known.to
    // Monitors of one policy differ in it.
    const severity = severities[(number + Math.floor(number / policyNames.length)) % severities.length]!
    const to = { ...from, policy, severity }
    this.#known.set(from.id, { from, to })
    return to
  }
}
