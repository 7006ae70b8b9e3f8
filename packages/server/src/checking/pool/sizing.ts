// checking/pool/sizing.ts: how many workers a pool should have, and why, in words. Pure: the same
// observations always give the same answer. worker-pool.ts limits how fast a pool may change.
import { fewestServers, type Load, meanWaitMs } from './queueing-theory.ts'

/** How long a job is assumed to last before any was observed. */
const ASSUMED_SERVICE_MS = 50
const HEADROOM = 1.15

export type SizingModel =
  | 'awaiting_observations'
  | 'erlang_c_allen_cunneen'
  | 'little_law_fallback'
  | 'slo_unattainable'

export interface ServiceEstimate {
  readonly meanMs: number
  readonly cv: number | null
}

export interface Demand {
  /** Jobs per second; null while unknown. */
  readonly arrivalRate: number | null
  readonly arrivalCv: number | null
  readonly service: ServiceEstimate | null
}

export interface PoolBounds {
  readonly min: number
  readonly max: number
  /** How many jobs the process's file descriptors allow at once; null for no limit. */
  readonly descriptors: number | null
}

export interface Sizing {
  readonly model: SizingModel
  readonly recommended: number
  readonly reason: string
}

export const DEFAULT_BOUNDS: PoolBounds = { min: 5, max: 16_384, descriptors: null }

/** The most workers that a pool may have. The descriptors override even the minimum. */
export function upperBound(bounds: PoolBounds): number {
  return Math.max(1, Math.min(bounds.max, bounds.descriptors ?? bounds.max))
}

export function sizePool(demand: Demand, waitTargetMs: number, bounds: PoolBounds): Sizing {
  const { arrivalRate, service } = demand
  if (arrivalRate === null)
    return clamped('awaiting_observations', bounds.min, 'No arrival rate is known yet.', bounds)
  const serviceMs = service?.meanMs ?? ASSUMED_SERVICE_MS
  const offeredLoad = (arrivalRate * serviceMs) / 1_000
  const demandInWords =
    `${amount(arrivalRate)} jobs per second of ${amount(serviceMs)} ms ` +
    `${service === null ? '(assumed, none was observed yet) ' : ''}keep ${amount(offeredLoad)} workers busy`

  // Without observations, arrivals and service times are assumed to be random: the usual assumption, not an
  // optimistic one.
  const arrivalCv = service === null ? 1 : demand.arrivalCv
  const serviceCv = service === null ? 1 : service.cv
  if (arrivalCv === null || serviceCv === null) return byLittle(offeredLoad, demandInWords, bounds)

  const load: Load = { offeredLoad, serviceMs, arrivalCv, serviceCv }
  const needed = fewestServers(load, waitTargetMs, upperBound(bounds))
  if (needed === null) return unattainable(load, waitTargetMs, demandInWords, bounds)
  const model = service === null ? 'awaiting_observations' : 'erlang_c_allen_cunneen'
  const reason = `${demandInWords}; ${amount(needed)} keep the mean wait within ${amount(waitTargetMs)} ms; 15 % headroom.`
  return clamped(model, withHeadroom(needed), reason, bounds)
}

function byLittle(offeredLoad: number, demandInWords: string, bounds: PoolBounds): Sizing {
  const needed = Math.max(1, Math.ceil(offeredLoad))
  if (needed > upperBound(bounds)) {
    const reason = `${demandInWords}; at most ${amount(upperBound(bounds))} are allowed.`
    return clamped('slo_unattainable', needed, reason, bounds)
  }
  const reason = `${demandInWords}; too few observations to tell how they vary; 15 % headroom.`
  return clamped('little_law_fallback', withHeadroom(needed), reason, bounds)
}

function unattainable(load: Load, waitTargetMs: number, demandInWords: string, bounds: PoolBounds): Sizing {
  const most = upperBound(bounds)
  const waitMs = meanWaitMs(load, most)
  const consequence = Number.isFinite(waitMs)
    ? `a mean wait of ${amount(waitMs)} ms`
    : 'a queue that only grows'
  const reason = `${demandInWords}; the ${amount(most)} that are allowed leave ${consequence}, the target is ${amount(waitTargetMs)} ms.`
  return clamped('slo_unattainable', most, reason, bounds)
}

function clamped(model: SizingModel, wanted: number, reason: string, bounds: PoolBounds): Sizing {
  const most = upperBound(bounds)
  const recommended = Math.min(most, Math.max(bounds.min, wanted))
  if (recommended > wanted)
    return { model, recommended, reason: `${reason} Raised to the minimum of ${bounds.min}.` }
  if (recommended < wanted && model !== 'slo_unattainable') {
    const bound =
      bounds.descriptors !== null && most < bounds.max ? 'what the file descriptors allow' : 'the maximum'
    return { model, recommended, reason: `${reason} Cut to ${bound}, ${amount(most)}.` }
  }
  return { model, recommended, reason }
}

function withHeadroom(workers: number): number {
  return Math.ceil(workers * HEADROOM)
}

/**
 * Three digits for small values, six for large ones. Done by hand, because the runtime's formatter holds
 * eight megabytes of data.
 */
function amount(value: number): string {
  const [whole = '', part] = String(Number(value.toPrecision(value < 1_000 ? 3 : 6))).split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return part === undefined ? grouped : `${grouped}.${part}`
}
