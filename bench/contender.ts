// bench/contender.ts: what takes part in `bench peers`: a program with a configuration for the fleet, and a process whose
// cost counts. What it achieved is never asked of it; the targets tell.
import type { ChildProcesses } from './child-processes.ts'
import type { PeerFleet } from './peer-fleet.ts'

export interface ContenderStart {
  readonly children: ChildProcesses
  readonly folder: string
  /** The file with its configuration, within the folder. */
  readonly file: string
  readonly fleet: PeerFleet
  /** Free, for its own API or page. */
  readonly port: number
}

export interface Contender {
  readonly name: string
  readonly fileName: string
  configuration(fleet: PeerFleet, port: number): string
  /** Answers with the id of the process that does the checks. */
  start(start: ContenderStart): Promise<number>
}

/** No proxy, no token and no setting of the caller reaches a program of others. */
export function peerEnvironment(settings: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], ...settings }
}
