// simulation/process-ports.ts: the outgoing side of one process: the checks that it starts and the calls that it makes.
// The oracle sees each of them, and each is a moment at which the process may die. A dead process reaches nothing.
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { FakeProviders } from '../engine/fake-providers.ts'
import { FakeTargets } from '../engine/fake-targets.ts'
import { secretsOf } from './fleet-plan.ts'
import { ProcessCalls } from './process-calls.ts'
import { count } from './tally.ts'
import type { World } from './world.ts'

export function openTargets(world: World, fleet: Fleet, isAlive: () => boolean): FakeTargets {
  const { clock, targets, oracle, hazard, tally } = world
  return new FakeTargets({
    clock,
    fleet,
    behaviour: targets,
    isAlive,
    started: (check) => {
      tally.checks++
      oracle.checkStarted(check)
      hazard.reached('check started')
    },
  })
}

export function openProviders(world: World, isAlive: () => boolean): FakeProviders {
  const { clock, targets, providers, oracle, hazard, tally, defect } = world
  const faults = defect?.calls ?? {}
  const secrets = () => secretsOf(world.inForce)
  const times = faults.callsTwice ? 2 : 1
  const called = (name: string, tell: () => void) => {
    for (let call = 0; call < times; call++) {
      count(tally.actions, name)
      tell()
      hazard.reached('provider called')
    }
  }
  return new FakeProviders({
    clock,
    behaviour: new ProcessCalls({ providers, targets, faults, secrets }),
    isAlive,
    witness: {
      notified: (endpoint, notification) =>
        called(notification.color, () => oracle.notified(endpoint, notification)),
      recovered: (target, intervention) => called('recovery', () => oracle.recovered(target, intervention)),
      answered: (actionId, answer) => {
        oracle.answered(actionId, answer)
        hazard.reached('answer given')
      },
    },
  })
}
