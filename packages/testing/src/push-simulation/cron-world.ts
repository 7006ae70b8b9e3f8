// push-simulation/cron-world.ts: what happens on a day of many cron jobs, drawn from one seed: which jobs there are in
// which zones, how each run ends, and what happens to the service meanwhile.
import type { Random } from '../random.ts'
import { ZoneTable } from './cron-table.ts'

const second = 1_000
const minute = 60 * second

/** Days on which the clocks of five zones are changed, and when they begin. */
export const cronDays = {
  spring: {
    fromMs: Date.UTC(2026, 2, 28, 18),
    zones: ['Europe/Berlin', 'Europe/London', 'Asia/Beirut', 'America/Nuuk', 'Europe/Chisinau'],
  },
  autumn: {
    fromMs: Date.UTC(2026, 9, 24, 18),
    zones: ['Europe/Berlin', 'Europe/London', 'Asia/Beirut', 'America/Nuuk', 'Europe/Chisinau'],
  },
  south: {
    fromMs: Date.UTC(2026, 3, 4, 10),
    zones: [
      'Australia/Sydney',
      'Australia/Adelaide',
      'Australia/Lord_Howe',
      'Pacific/Auckland',
      'Pacific/Norfolk',
    ],
  },
} as const
export type CronDayName = keyof typeof cronDays

/** missed: the job did not run. failed: it said so. */
export type RunEnd = 'reported' | 'failed' | 'missed'

export interface Run {
  readonly dueMs: number
  readonly end: RunEnd
  /** When the job reports. */
  readonly atMs: number
}

export interface Job {
  readonly id: string
  readonly cron: string
  readonly timezone: string
  readonly graceMs: number
  readonly runs: readonly Run[]
}

/** off: the service is killed and stays off. suspended: the machine is. set: the clock of the service is set. */
export interface Hazard {
  readonly atMs: number
  readonly kind: 'off' | 'suspended' | 'set'
  readonly ms: number
}

/** The clock of the service is never wrong by more. */
export const mostErrorMs = 20 * second

export function jobsOf(random: Random, count: number, name: CronDayName, hours: number): Job[] {
  const { fromMs, zones } = cronDays[name]
  const tables = zones.map((zone) => new ZoneTable(zone, fromMs, fromMs + hours * 60 * minute))
  return Array.from({ length: count }, (_, index) => {
    const table = tables[index % tables.length]!
    const cron = someCron(random)
    const graceMs = random.whole(2, 6) * minute
    // The report at the beginning counts for what is due within its first minute.
    const dues = table.instants(cron).filter((dueMs) => dueMs > fromMs + minute)
    const runs = dues.map((dueMs) => someRun(random, dueMs, graceMs))
    return { id: `job-${index}`, cron, timezone: zones[index % zones.length]!, graceMs, runs }
  })
}

function someCron(random: Random): string {
  const at = random.whole(0, 59)
  switch (
    random.weighted({ daily: 8, 'in the night': 8, 'four times': 4, hourly: 4, quarters: 1, weekly: 1 })
  ) {
    case 'daily':
      return `${at} ${random.whole(0, 23)} * * *`
    case 'in the night':
      return `${at} ${random.whole(0, 4)} * * *`
    case 'four times':
      return `${at} ${random.pick(['0,6,12,18', '1,7,13,19', '2,8,14,20', '3,9,15,21'])} * * *`
    case 'hourly':
      return `${at} * * * *`
    case 'quarters':
      return '*/15 * * * *'
    case 'weekly':
      return `${at} ${random.whole(0, 23)} * * 0`
  }
}

/** Before its grace ends, however wrong the clock is. */
function someRun(random: Random, dueMs: number, graceMs: number): Run {
  const end = random.weighted({ reported: 92, failed: 3, missed: 5 })
  return { dueMs, end, atMs: dueMs + random.whole(1, (graceMs - 2 * mostErrorMs) / second) * second }
}

export function hazardsOf(random: Random, fromMs: number, hours: number): Hazard[] {
  const hazards: Hazard[] = []
  let errorMs = 0
  for (let atMs = fromMs + 10 * minute; atMs < fromMs + (hours - 0.5) * 60 * minute; ) {
    atMs += random.whole(20, 100) * minute + random.whole(0, 59) * second
    const kind = random.weighted({ off: 3, suspended: 2, set: 2 } as const)
    if (kind === 'set') {
      const rightMs = random.whole(-mostErrorMs / second, mostErrorMs / second) * second
      hazards.push({ atMs, kind, ms: rightMs - errorMs })
      errorMs = rightMs
    } else hazards.push({ atMs, kind, ms: random.whole(5, 40 * 60) * second })
  }
  return hazards.filter(({ atMs }) => atMs < fromMs + (hours - 1) * 60 * minute)
}
