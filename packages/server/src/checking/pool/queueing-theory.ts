// checking/pool/queueing-theory.ts: how long jobs wait for one of c servers. Erlang's formulas are computed by
// recurrence, which stays exact and finite for thousands of servers, where powers and factorials overflow. The
// Allen–Cunneen correction extends them to arrivals and service times that are more or less regular than random ones.

export interface Load {
  /** Jobs per millisecond times milliseconds per job: how many servers are busy on average (Little's law). */
  readonly offeredLoad: number
  readonly serviceMs: number
  readonly arrivalCv: number
  readonly serviceCv: number
}

/**
 * The smallest number of servers at which the mean wait is at most waitTargetMs, or null when more than
 * mostServers would be needed. One walk over the counts: each step of the recurrence is one division.
 */
export function fewestServers(load: Load, waitTargetMs: number, mostServers: number): number | null {
  let blocking = 1
  for (let servers = 1; servers <= mostServers; servers++) {
    blocking = nextBlocking(blocking, load.offeredLoad, servers)
    if (servers > load.offeredLoad && waitFrom(blocking, load, servers) <= waitTargetMs) return servers
  }
  return null
}

/** The mean wait for a server; infinite when they cannot keep up. */
export function meanWaitMs(load: Load, servers: number): number {
  if (servers <= load.offeredLoad) return Number.POSITIVE_INFINITY
  let blocking = 1
  for (let count = 1; count <= servers; count++) blocking = nextBlocking(blocking, load.offeredLoad, count)
  return waitFrom(blocking, load, servers)
}

/** Erlang B for one more server. */
function nextBlocking(blocking: number, offeredLoad: number, servers: number): number {
  return (offeredLoad * blocking) / (servers + offeredLoad * blocking)
}

function waitFrom(blocking: number, load: Load, servers: number): number {
  const utilization = load.offeredLoad / servers
  const waitProbability = blocking / (1 - utilization * (1 - blocking))
  const randomWaitMs = (waitProbability * load.serviceMs) / (servers - load.offeredLoad)
  return (randomWaitMs * (load.arrivalCv ** 2 + load.serviceCv ** 2)) / 2
}
