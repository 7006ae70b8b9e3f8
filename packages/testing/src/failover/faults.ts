// failover/faults.ts: what can happen to a process, to its way to the database and to the database. Each fault begins,
// lasts and ends by itself; how long is drawn.
import { setTimeout as after } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { RunningPostgresql } from '../servers/postgresql.ts'
import type { SharedProcess } from './shared-process.ts'

export interface Struck {
  readonly process: SharedProcess
  readonly database: RunningPostgresql
  readonly random: Random
}

const lastsMs = [2_000, 14_000] as const

const faults = {
  async kill({ process }) {
    process.signal('SIGKILL')
  },
  async stop({ process }) {
    process.signal('SIGTERM')
  },
  async freeze({ process, random }) {
    process.signal('SIGSTOP')
    await after(random.between(...lastsMs))
    process.signal('SIGCONT')
  },
  requestsLost: (struck) => silence(struck, ['requests']),
  answersLost: (struck) => silence(struck, ['answers']),
  wayLost: (struck) => silence(struck, ['requests', 'answers']),
  async answerLost({ process }) {
    process.proxy.loseNextAnswer()
  },
  async reset({ process }) {
    process.proxy.cutAll()
  },
  async databaseRestarts({ database }) {
    await database.kill()
    await database.startAgain()
  },
} satisfies Readonly<Record<string, (struck: Struck) => Promise<void>>>

export type FaultName = keyof typeof faults

const weights: Readonly<Record<FaultName, number>> = {
  kill: 3,
  stop: 1,
  freeze: 4,
  requestsLost: 2,
  answersLost: 2,
  wayLost: 2,
  answerLost: 2,
  reset: 2,
  databaseRestarts: 1,
}

export function drawFault(random: Random): FaultName {
  return random.weighted(weights)
}

/** Resolves when it is over. */
export function strike(name: FaultName, struck: Struck): Promise<void> {
  return faults[name](struck)
}

async function silence(
  { process: { proxy }, random }: Struck,
  ways: readonly ('requests' | 'answers')[],
): Promise<void> {
  for (const way of ways) proxy.silence(way)
  await after(random.between(...lastsMs))
  for (const way of ways) proxy.silence(way, false)
}
