// fleet/load-arrangement.ts: reads fleet files and arranges them over what runs now. Large fleets and reloads
// do so in a thread of their own: the controller does not pause, and the thread's garbage goes with it.
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { driverShapes } from '../config/driver-shapes.ts'
import type { Credentials } from '../config/fleet-file/credentials.ts'
import { FleetFileError, loadFleet } from '../config/fleet-file/load-fleet.ts'
import { type LocatedMistake, listSources, SourceError } from '../config/fleet-file/source.ts'
import { type ArrangedBefore, type Arrangement, arrange, changeTo, reportOf } from './arrangement.ts'
import type { ChangeReport, FleetChange } from './fleet-change.ts'

export interface LoadRequest {
  readonly paths: readonly string[]
  readonly allowEmpty: boolean
  readonly environment: NodeJS.ProcessEnv
  readonly before: ArrangedBefore | null
}

export interface LoadedArrangement {
  readonly arrangement: Arrangement
  readonly credentials: Credentials
  readonly files: readonly string[]
}

/** What reading the files again came to: single changes of the running fleet, or, where it is nearly another one, all of it. */
export interface ReloadedFleet extends Omit<LoadedArrangement, 'arrangement'> {
  readonly next:
    | { readonly kind: 'amendment'; readonly change: FleetChange }
    | { readonly kind: 'whole'; readonly arrangement: Arrangement }
  readonly report: ChangeReport
}

/** Amending this share of a fleet costs less than taking over another one. */
const amendedAtMost = 0.25
const alwaysAmended = 1_000

export function reloadedFrom(loaded: LoadedArrangement, before: ArrangedBefore): ReloadedFleet {
  const { arrangement, credentials, files } = loaded
  const { added, changed, removed, definition } = arrangement
  const amended = added.length + changed.length + removed.length
  // What was created through v2 is not in the files, and would be left behind.
  const isMixed = before.definition.sources.values.includes(null)
  const isFew = isMixed || amended <= Math.max(alwaysAmended, definition.count * amendedAtMost)
  return {
    credentials,
    files,
    report: reportOf(arrangement),
    next: isFew
      ? { kind: 'amendment', change: changeTo(arrangement, before) }
      : { kind: 'whole', arrangement },
  }
}

export type LoadAnswer =
  | { readonly kind: 'loaded'; readonly loaded: LoadedArrangement }
  | { readonly kind: 'invalid'; readonly mistakes: readonly LocatedMistake[] }
  | { readonly kind: 'unreadable'; readonly message: string }

/** Files beyond this are read in a thread. */
const inlineBytes = 1 << 20

export async function loadArrangement(request: LoadRequest): Promise<LoadedArrangement> {
  const inline = request.before === null && (await totalBytes(request.paths)) <= inlineBytes
  const answer = inline ? await answerLoad(request) : await askThread(request)
  if (answer.kind === 'invalid') throw new FleetFileError(answer.mistakes)
  if (answer.kind === 'unreadable') throw new SourceError(answer.message)
  return answer.loaded
}

/** Reads the files again, over what runs now. */
export async function reloadFleet(request: LoadRequest & { before: ArrangedBefore }): Promise<ReloadedFleet> {
  return reloadedFrom(await loadArrangement(request), request.before)
}

/** Runs in whichever thread it is called in; errors that people caused are answers. */
export async function answerLoad(request: LoadRequest): Promise<LoadAnswer> {
  try {
    const { definition, credentials, files } = await loadFleet({ ...request, drivers: driverShapes })
    return {
      kind: 'loaded',
      loaded: { arrangement: arrange(definition, request.before), credentials, files },
    }
  } catch (error) {
    if (error instanceof FleetFileError) return { kind: 'invalid', mistakes: error.mistakes }
    if (error instanceof SourceError) return { kind: 'unreadable', message: error.message }
    throw error
  }
}

async function totalBytes(paths: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of await listSources(paths)) bytes += (await stat(file)).size
  return bytes
}

function askThread(request: LoadRequest): Promise<LoadAnswer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('load-thread.ts', import.meta.url), { workerData: request })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) =>
      reject(new Error(`the loading thread ended with code ${code} and no answer`)),
    )
  })
}
