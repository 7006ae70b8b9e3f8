// fleet/load-arrangement.ts: reads fleet files and arranges them over the running fleet, or uses their
// snapshot if it matches the files. Large fleets and reloads are read in a separate thread: the controller
// does not pause, and the thread's garbage goes with it.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { driverShapes } from '../config/driver-shapes.ts'
import type { Credentials } from '../config/fleet-file/credentials.ts'
import { FileDigests } from '../config/fleet-file/file-digest.ts'
import { FleetFileError, loadFleet } from '../config/fleet-file/load-fleet.ts'
import { type LocatedMistake, listSources, SourceError } from '../config/fleet-file/source.ts'
import { largeNursery } from '../platform/nursery.ts'
import { type PackedEntries, PackedMap } from '../platform/packed-map.ts'
import { answerOf } from '../platform/thread-answer.ts'
import type { Log } from '../telemetry/log.ts'
import { type ArrangedBefore, type Arrangement, arrange, changeTo, reportOf } from './arrangement.ts'
import { type ChangeReport, type FleetChange, headOf } from './fleet-change.ts'
import {
  type FleetFacts,
  fleetKey,
  monitorsAtLeast,
  readFleetSnapshot,
  unwritten,
  writeFleetSnapshot,
} from './snapshot/fleet-snapshot.ts'
import { credentialsFor } from './snapshot/outside-files.ts'
import { monitorsOf } from './snapshot/packed-monitors.ts'

export interface LoadRequest {
  readonly paths: readonly string[]
  readonly allowEmpty: boolean
  readonly environment: NodeJS.ProcessEnv
  readonly before: ArrangedBefore | null
  /** Where the snapshot of the files is kept; absent if none is kept. */
  readonly snapshotPath?: string | null
}

export interface LoadedArrangement {
  readonly arrangement: Arrangement
  readonly credentials: Credentials
  readonly files: readonly string[]
}

/** The input of a start. */
export interface FirstLoad extends LoadedArrangement {
  /** What to make a snapshot of; null if there already is one, or none is kept. */
  readonly unkept: FleetFacts | null
}

/** The result of rereading the files: single changes of the running fleet, or all of it if it is nearly another fleet. */
export interface ReloadedFleet extends Omit<LoadedArrangement, 'arrangement'> {
  readonly next:
    | { readonly kind: 'amendment'; readonly change: FleetChange }
    | { readonly kind: 'whole'; readonly arrangement: Arrangement }
  readonly report: ChangeReport
}

/** Up to this share of the fleet, amending costs less than replacing it. */
const amendedAtMost = 0.25
const alwaysAmended = 1_000

export function reloadedFrom(loaded: LoadedArrangement, before: ArrangedBefore): ReloadedFleet {
  const { arrangement, credentials, files } = loaded
  const { added, changed, removed, definition } = arrangement
  const amended = added.length + changed.length + removed.length
  // Monitors created through v2 are not in the files, and would be lost.
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

/** A load as plain data, for another thread. */
type SentLoad = Omit<FirstLoad, 'credentials'> & { readonly credentials: PackedEntries }

export type LoadAnswer =
  | { readonly kind: 'loaded'; readonly loaded: SentLoad }
  | { readonly kind: 'invalid'; readonly mistakes: readonly LocatedMistake[] }
  | { readonly kind: 'unreadable'; readonly message: string }

/** Larger files are read in a thread. */
const inlineBytes = 1 << 20

export async function loadArrangement(request: LoadRequest, threads?: LoadThreads): Promise<FirstLoad> {
  const inline = request.before === null && (await totalBytes(request.paths)) <= inlineBytes
  const answer = inline ? (await load(request)).answer : await (threads ?? new LoadThreads()).ask(request)
  if (answer.kind === 'invalid') throw new FleetFileError(answer.mistakes)
  if (answer.kind === 'unreadable') throw new SourceError(answer.message)
  return { ...answer.loaded, credentials: new PackedMap(answer.loaded.credentials) }
}

/** Rereads the files, over the running fleet. */
export async function reloadFleet(
  request: LoadRequest & { before: ArrangedBefore },
  threads?: LoadThreads,
): Promise<ReloadedFleet> {
  return reloadedFrom(await loadArrangement(request, threads), request.before)
}

/** Threads that load; they may write a snapshot after their answer. */
export class LoadThreads implements AsyncDisposable {
  readonly #running = new Set<Promise<unknown>>()
  readonly #log: Log | null

  constructor(log: Log | null = null) {
    this.#log = log
  }

  ask(request: LoadRequest): Promise<LoadAnswer> {
    const thread = new Worker(new URL('load-thread.ts', import.meta.url), {
      workerData: request,
      resourceLimits: largeNursery,
    })
    const ended = once(thread, 'exit').catch(() => undefined)
    this.#running.add(ended)
    void ended.finally(() => this.#running.delete(ended))
    const answer = answerOf<LoadAnswer>(thread)
    void answer.then(
      () => thread.on('error', (error) => this.#log?.warn(unwritten(error))),
      () => undefined,
    )
    return answer
  }

  /** Waits until everything is written. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running)
  }
}

export interface Load {
  readonly answer: LoadAnswer
  /** Writes a snapshot of reread files; null if there is nothing to write. */
  readonly keep: (() => void) | null
}

/** Runs in the calling thread; errors caused by people are returned as answers. */
export async function load(request: LoadRequest): Promise<Load> {
  try {
    const loaded = await fromSnapshot(request)
    return loaded === null ? await fromFiles(request) : { answer: { kind: 'loaded', loaded }, keep: null }
  } catch (error) {
    if (error instanceof FleetFileError)
      return { answer: { kind: 'invalid', mistakes: error.mistakes }, keep: null }
    if (error instanceof SourceError)
      return { answer: { kind: 'unreadable', message: error.message }, keep: null }
    throw error
  }
}

/**
 * Null if there is no matching snapshot, or the fleet is not valid here and now: then reading the files
 * reports what is wrong.
 */
async function fromSnapshot(request: LoadRequest): Promise<SentLoad | null> {
  const { paths, allowEmpty, environment, before, snapshotPath = null } = request
  if (before !== null || snapshotPath === null || !existsSync(snapshotPath)) return null
  const files = await listSources(paths)
  const snapshot = readFleetSnapshot(snapshotPath, fleetKey(paths, allowEmpty, driverShapes), files)
  if (snapshot === null) return null
  const credentials = credentialsFor(snapshot, { environment, drivers: driverShapes })
  if (credentials === null) return null
  const { packed } = PackedMap.from(credentials)
  return { arrangement: snapshot.arrangement, credentials: packed, files, unkept: null }
}

async function fromFiles(request: LoadRequest): Promise<Load> {
  const { paths, allowEmpty, before, snapshotPath = null } = request
  const digests = snapshotPath === null ? null : new FileDigests()
  const { definition, credentials, files, credentialSources, openRows, oneLine, pageFiles } = await loadFleet(
    {
      ...request,
      drivers: driverShapes,
      ...(digests === null ? {} : { digests }),
    },
  )
  const isKept = digests !== null && definition.count >= monitorsAtLeast
  const unkept: FleetFacts | null = isKept
    ? {
        key: fleetKey(paths, allowEmpty, driverShapes),
        files: digests.finish(),
        credentialSources,
        openRows,
        oneLine,
        pageFiles,
      }
    : null
  const arrangement = arrange(definition, before)
  const { packed } = PackedMap.from(credentials)
  const answer: LoadAnswer = { kind: 'loaded', loaded: { arrangement, credentials: packed, files, unkept } }
  // The controller changes the rows of a first load; a fleet that is read over it has its own columns.
  if (before === null || unkept === null || snapshotPath === null) return { answer, keep: null }
  const keep = () => {
    const { searchNames } = arrange(definition, null)
    const monitors = monitorsOf(definition)
    const head = headOf(definition)
    const { count } = definition
    writeFleetSnapshot(snapshotPath, {
      facts: unkept,
      monitors,
      searchNames,
      head,
      count,
      isChanged: () => false,
    })
  }
  return { answer, keep }
}

async function totalBytes(paths: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of await listSources(paths)) bytes += (await stat(file)).size
  return bytes
}
