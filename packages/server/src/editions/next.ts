// editions/next.ts: the candidate plus v2: resources that people create, change and delete while the service
// runs. Wires principals, keys and writes from the rooms access, vault and managing.
import { randomUUID } from 'node:crypto'
import { SignInLinks } from '../access/sign-in-links.ts'
import { PracticeTarget } from '../api/practice-target.ts'
import type { ProbeGateway } from '../api/probes/probe-gateway.ts'
import { driverShapes } from '../config/driver-shapes.ts'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import { addressFromHere } from '../config/settings/listen-address.ts'
import { recentActionsMs } from '../engine/engine-settings.ts'
import { workerFigures, workersView } from '../external-workers/workers-view.ts'
import { ResourceValidator } from '../kinds/validate-resource.ts'
import { adoptFleet } from '../managing/adopt.ts'
import { Managing } from '../managing/managing.ts'
import { problemKinds } from '../managing/operator-problems.ts'
import { UsageError } from '../platform/usage-error.ts'
import { NextMonitorViews } from '../projection/next-monitor-views.ts'
import type { Trials } from '../trials/trials.ts'
import { buildCandidate, type CandidateService, candidate, type ExternalReadings } from './candidate.ts'
import type { AdoptionOptions, Edition, Foundation, OpenedStore } from './edition.ts'
import {
  firstSignInUrl,
  openPrincipals,
  openProbeGateway,
  sessionGate,
  streamAccess,
  tellAddress,
} from './next-access.ts'
import { withSharedAccess } from './next-shared-access.ts'
import { openTrials } from './next-trials.ts'
import { serveV2 } from './next-v2.ts'
import { openDurable } from './open-durable.ts'

export const next: Edition = {
  dataDirectory: candidate.dataDirectory,
  openStore: async (settings, clock, log, standing) => {
    const opened = await openDurable(settings, clock, log, { servesResources: true, standing })
    return await withSharedAccess(opened, settings, clock, log)
  },
  openManaging: (options) => Managing.open({ ...options, drivers: driverShapes }),
  adopt: adoptFiles,
  build(foundation) {
    const { managing } = foundation
    const trials = openTrials(foundation)
    const principals = openPrincipals(foundation)
    const links = new SignInLinks(principals, foundation.clock)
    const practice = new PracticeTarget(foundation.clock)
    const sessions = sessionGate(principals, links, foundation)
    const service = buildCandidate(foundation, {
      monitorViews: (options) => new NextMonitorViews(options),
      servesV2: true,
      streamAccess: streamAccess(principals, sessions, foundation),
      external: externalReadings(foundation),
      trials: () => trials.counts,
      ...(managing === null
        ? {}
        : { problems: () => problemKinds.map((kind) => ({ kind, count: managing.problems.countOf(kind) })) }),
    })
    followCredentials(foundation, service)
    const probes = openProbeGateway(principals, foundation)
    const access = { principals, sessions, links, practice, trials, probes }
    const { bulk, ...served } = serveV2(foundation, service, access)
    return {
      ...service,
      v2: served,
      start() {
        service.start()
        bulk.start()
      },
      fleetChanged(amended) {
        service.fleetChanged(amended)
        foundation.managing?.lookForLostReferences()
      },
      listening(url) {
        practice.listensAt(addressFromHere(url))
        return whileListening(foundation, { trials, probes }, url)
      },
      signInUrl: (url) => firstSignInUrl(principals, links, foundation, url),
      async [Symbol.asyncDispose]() {
        await bulk[Symbol.asyncDispose]()
        sessions.sessions[Symbol.dispose]()
        principals[Symbol.dispose]()
        await service[Symbol.asyncDispose]()
      },
    }
  },
}

/** Returns the store as it is after the adoption. */
async function adoptFiles(options: AdoptionOptions): Promise<OpenedStore> {
  const { settings, fleet, opened, loaded, clock, log } = options
  const { store, recovered } = opened
  if (store?.isDurable !== true || recovered === null)
    throw new UsageError('--adopt needs a store that a restart keeps: leave --store memory out.')
  await using managing = await Managing.open({
    settings,
    fleet,
    recovered,
    store,
    log,
    drivers: driverShapes,
  })
  const { registry, vault } = managing
  const validator = new ResourceValidator(driverShapes)
  const now = () => clock.wallMs()
  const adopted = await adoptFleet({
    loaded,
    registry,
    vault,
    store,
    recovered,
    validator,
    newUid: randomUUID,
    now,
    log,
  })
  log.info(
    { ...adopted, files: loaded.files },
    'the fleet files were adopted: v2 manages what they have from now on. Start without --adopt and without these files',
  )
  const again = await store.recover(recentActionsMs(settings))
  // The engine, which has not started yet, must learn that the store was restored.
  return { ...opened, recovered: { ...again, restoredFrom: recovered.restoredFrom } }
}

/**
 * When values of credentials become readable or unreadable, updates everything that uses them. Before the fleet is loaded
 * this waits: the fleet loads with the current values, and later changes are applied once it runs.
 */
function followCredentials({ engine, managing, writing }: Foundation, service: CandidateService): void {
  if (managing === null) return
  const tell = () => {
    if (!engine.isAdmitting) return void setTimeout(tell, 1_000).unref()
    const change = { entries: new DefinitionBuilder().finish({}), removed: [], head: null }
    void writing.turn((turn) =>
      service.fleetChanged(writing.amendFleet(turn, change, managing.registry.credentials())),
    )
  }
  managing.onValuesChanged(tell)
}

/** Closes before the listener, which would otherwise wait for polls and trials, and knows nothing of probes. */
function whileListening(
  foundation: Foundation,
  { trials, probes }: { readonly trials: Trials; readonly probes: ProbeGateway },
  url: string,
): AsyncDisposable {
  const address = tellAddress(foundation, url)
  return {
    async [Symbol.asyncDispose]() {
      foundation.external?.polls.close()
      probes[Symbol.dispose]()
      address?.[Symbol.dispose]()
      await trials[Symbol.asyncDispose]()
    },
  }
}

function externalReadings({ external, settings }: Foundation): ExternalReadings {
  const jobs = settings.external_jobs ? external : null
  return {
    workers: () => (jobs === null ? null : workersView(jobs)),
    figures: () => (jobs === null ? null : workerFigures(jobs)),
  }
}
