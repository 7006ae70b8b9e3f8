// simulation/workers/job-types.ts: the job types in force of a fleet with workers, and which parts of the
// fleet use them. They survive every process. Sometimes a new version comes; workers follow later.
import type { v2 } from '@pulseward/contract'
import { externalType } from '@pulseward/server/internal/config/external-driver.ts'
import { compileJobType, type JobTypeInForce } from '@pulseward/server/internal/kinds/job-type-in-force.ts'
import { type FleetPlan, numberOf, type PlannedEndpoint, type PlannedMonitor } from '../fleet-plan.ts'

type Spec = v2.JobType['spec']

/** A result that contains this does not fit any job type. */
export const misfit = { latencyMs: 'long' }

const common = {
  protocolVersion: '1',
  handler: 'simulated',
  parameterSchema: { type: 'object' },
  resultSchema: { type: 'object', properties: { latencyMs: { type: 'number', minimum: 0 } } },
  rejectionCodes: ['refused', 'busy'],
}

const specs: Readonly<Record<string, Omit<Spec, 'version'>>> = {
  depth: { ...common, kind: 'check', timeout: '7s' },
  restart: { ...common, kind: 'recovery', timeout: '20s' },
  message: { ...common, kind: 'notification' },
}

export const jobTypeIds = Object.keys(specs)

export class JobTypes {
  readonly #versions = new Map(jobTypeIds.map((id) => [id, 1]))
  readonly #compiled = new Map<string, JobTypeInForce>()

  inForce(id: string): JobTypeInForce {
    const version = this.versionOf(id)
    const key = `${id} ${version}`
    const known = this.#compiled.get(key)
    if (known !== undefined) return known
    const compiled = this.#compile(id, version)
    this.#compiled.set(key, compiled)
    return compiled
  }

  versionOf(id: string): string {
    return String(this.#versions.get(id) ?? 1)
  }

  /** People write another version. */
  revise(id: string): void {
    this.#versions.set(id, (this.#versions.get(id) ?? 1) + 1)
  }

  #compile(id: string, version: string): JobTypeInForce {
    const spec = specs[id]
    if (spec === undefined) throw new Error(`there is no job type ${id}`)
    const { jobType, mistakes } = compileJobType(id, { ...spec, version }, new Set())
    if (jobType === null) throw new Error(`the job type ${id} is wrong: ${JSON.stringify(mistakes)}`)
    return jobType
  }
}

/**
 * Gives every third check, half of the recoveries and two of the destinations to workers. A changed check may
 * move to workers or away from them. Unchanged parts stay the same objects.
 */
export function withWorkers(plan: FleetPlan): FleetPlan {
  const monitors = Array.from(plan.monitors, ([id, one]) => [id, monitorWithWorkers(one)] as const)
  const endpoints = Array.from(plan.endpoints, ([name, one]) => [name, endpointWithWorkers(one)] as const)
  return { ...plan, monitors: new Map(monitors), endpoints: new Map(endpoints) }
}

function monitorWithWorkers(monitor: PlannedMonitor): PlannedMonitor {
  const { id, checkVersion, recovery } = monitor
  const isExternal = (numberOf(id) + checkVersion) % 3 === 0
  const isRecoveryExternal = recovery !== null && recovery.target < 'machine-4'
  const isRight =
    monitor.isExternal === isExternal && (recovery === null || recovery.isExternal === isRecoveryExternal)
  if (isRight) return monitor
  return {
    ...monitor,
    isExternal,
    recovery: recovery === null ? null : { ...recovery, isExternal: isRecoveryExternal },
  }
}

function endpointWithWorkers(endpoint: PlannedEndpoint): PlannedEndpoint {
  const isOfWorkers = endpoint.name === 'pager' || endpoint.name === 'chat'
  return isOfWorkers && endpoint.type !== externalType ? { ...endpoint, type: externalType } : endpoint
}
