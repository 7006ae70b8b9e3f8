// fleet/snapshot/outside-files.ts: what affects a fleet but is not in its files: the values of credentials, the files that
// status pages name, the installed packages, and the day. A snapshot does not cover them, so each start checks them. This code
// reports no mistakes: if anything is wrong, the files are read instead, and report it as without a snapshot.
import { valueMistakes } from '../../config/fleet-file/credential-values.ts'
import { type Credentials, readCredential } from '../../config/fleet-file/credentials.ts'
import { cronProblem } from '../../config/fleet-file/cron-words.ts'
import { type FleetDefinition, sharedValue } from '../../config/fleet-file/definition.ts'
import { missingPackage } from '../../config/fleet-file/optional-packages.ts'
import type { DriverShape, DriverShapes } from '../../config/fleet-file/schema.ts'
import { isUnchanged } from '../../config/fleet-file/status-page-files.ts'
import { PackedReader } from '../../platform/packed-strings.ts'
import { isOneLine } from '../../platform/schema.ts'
import type { FleetSnapshot } from './fleet-snapshot.ts'

export interface Outside {
  readonly environment: NodeJS.ProcessEnv
  readonly drivers: DriverShapes
}

/** The values of its credentials; null if the fleet is not valid here and now. */
export function credentialsFor(
  snapshot: FleetSnapshot,
  { environment, drivers }: Outside,
): Credentials | null {
  const { definition } = snapshot.arrangement
  const credentials = new Map<string, string>()
  for (const [name, source] of Object.entries(snapshot.facts.credentialSources)) {
    const read = readCredential(source, environment)
    if (!('value' in read)) return null
    credentials.set(name, read.value)
  }
  const isRight =
    snapshot.facts.pageFiles.every(isUnchanged) &&
    arePackagesInstalled(definition, drivers) &&
    doAllCronsCome(definition) &&
    doValuesFit(snapshot, drivers, (name) => credentials.get(name) ?? null)
  return isRight ? credentials : null
}

function arePackagesInstalled(
  { policies, recoveries, endpoints }: FleetDefinition,
  drivers: DriverShapes,
): boolean {
  const recoveryTypes = recoveries.values.flatMap((recovery) => recovery?.type ?? [])
  const areInstalled = (types: Iterable<string>, shapes: Readonly<Record<string, DriverShape>>) =>
    [...new Set(types)].every((type) => missingPackage(type, shapes[type]?.requires ?? []) === null)
  return (
    areInstalled(
      policies.values.map(({ type }) => type),
      drivers.checks,
    ) &&
    areInstalled(recoveryTypes, drivers.recoveries) &&
    areInstalled(
      [...endpoints.values()].map(({ type }) => type),
      drivers.notifiers,
    )
  )
}

function doAllCronsCome({ maintenance }: FleetDefinition): boolean {
  const windows = maintenance.values.flat()
  const crons = new Set(windows.flatMap((window) => (window.kind === 'cron' ? window.cron : [])))
  return [...crons].every((cron) => cronProblem(cron) === null)
}

function doValuesFit(
  { arrangement: { definition }, facts }: FleetSnapshot,
  { checks, recoveries, notifiers }: DriverShapes,
  readValue: (name: string) => string | null,
): boolean {
  const fits = (shape: DriverShape | undefined, config: object) =>
    shape !== undefined && valueMistakes(shape, config, readValue).length === 0
  const configs = new PackedReader(definition.configs)
  const typeOf = (row: number) => sharedValue(definition.policies, row).type
  return (
    facts.oneLine.every((name) => isOneLine(readValue(name) ?? '')) &&
    definition.recoveries.values.every(
      (recovery) => recovery === null || fits(recoveries[recovery.type], recovery.config),
    ) &&
    [...definition.endpoints.values()].every(({ type, config }) => fits(notifiers[type], config)) &&
    facts.openRows.every((row) => fits(checks[typeOf(row)], JSON.parse(configs.get(row))))
  )
}
