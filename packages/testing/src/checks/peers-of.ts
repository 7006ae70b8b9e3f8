// checks/peers-of.ts: finds the peers of a driver by its name in the registry: packages/server/src/checks/NAME/peers.ts.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CheckScenarios } from './scenarios.ts'
import type { Troubles } from './troubles.ts'

/** What the peers.ts of a driver exports. */
export interface DriverPeers {
  /** What the check says about each trouble; a table that needs no server. */
  readonly troubles: Troubles
  startPeers(): Promise<CheckScenarios>
}

export async function peersOf(name: string): Promise<DriverPeers> {
  const module = import.meta.resolve(`@pulseward/server/internal/checks/${name}/peers.ts`)
  if (!existsSync(fileURLToPath(module))) {
    const file = `packages/server/src/checks/${name}/peers.ts`
    throw new Error(`The check ${name} has no peers. Write ${file} (CONTRIBUTING.md, "Add a check").`)
  }
  return import(module)
}
