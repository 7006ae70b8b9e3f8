// trial/served-check.ts: has a service run one check once: of a monitor that it has, or of a file that it has never seen.
// Nothing is stored there.
import { lstatSync, readFileSync } from 'node:fs'
import { AmbiguousMutationError } from '@pulseward/client'
import type { v2 } from '@pulseward/contract'
import {
  checks,
  driverShapes,
  fleetResources,
  loadSingle,
  type PlacedResource,
  shownTarget,
  UsageError,
} from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { parseValue } from '../client/files/parse-value.ts'
import type { Session } from '../client/session.ts'
import { outputFrom } from '../output-flag.ts'
import { type CheckReport, endOfCertificate, reportAsJson, reportAsText } from './check-report.ts'
import { patience, refuseFleetFlags, trialTimeout } from './served.ts'

/** The operations of v2 that it carries out. */
export const operationsOfCheck = ['TryCheck'] as const

export async function runServedCheck(parsed: ParsedArguments, session: Session): Promise<number> {
  refuseFleetFlags(parsed)
  const output = outputFrom(parsed)
  const { metadata, spec } = await draftOf(parsed, session)
  const { driver } = spec.check
  const { timeout, timeoutMs } = trialTimeout(spec.check.timeout)
  const seen = await answerOf({ driver, timeout }, { timeoutMs, parsed, session })
  if (seen === null) {
    session.say(`The answer of ${session.server} was lost. A trial changes nothing: run it again.`)
    return 3
  }
  const report = reportOf(metadata, driver, seen)
  const { timeZone } = session.terminal
  const text =
    output === 'json' ? reportAsJson(report) : reportAsText(report, { nowMs: Date.now(), timeZone })
  session.print(session.withoutSecrets(text))
  return report.status === 'success' ? 0 : 1
}

/** Null if it was lost. */
async function answerOf(
  body: v2.CheckTrialRequest,
  { timeoutMs, parsed, session }: { timeoutMs: number; parsed: ParsedArguments; session: Session },
): Promise<v2.CheckTrial | null> {
  const options = { signal: session.signal, ...patience(parsed, timeoutMs) }
  try {
    return (await session.client.tryCheck({ body }, options)).data
  } catch (error) {
    if (error instanceof AmbiguousMutationError) return null
    throw error
  }
}

type Draft = Pick<v2.Monitor, 'metadata' | 'spec'>

async function draftOf(parsed: ParsedArguments, { client, signal, terminal }: Session): Promise<Draft> {
  const file = lastValue(parsed, 'file')
  const [id, ...others] = parsed.operands
  if (others.length > 0 || (id === undefined) === (file === null))
    throw new UsageError(
      'Name one monitor: pulseward check ID --server URL, or pulseward check --file FILE --server URL',
    )
  if (file === null) return (await client.getMonitor({ id: id! }, { signal })).data
  return resourceIn(file) ?? (await monitorOfFleetFile(file, terminal))
}

/** A monitor as v2 has it, whose credentials are those of the service; null for a file that is not a resource. */
function resourceIn(file: string): Draft | null {
  // Other files are refused, or read line by line, by the loader of fleet files.
  const isDocument = !/\.ndjson$/i.test(file) && lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
  const value = asFields(isDocument ? parseValue(readFileSync(file, 'utf8'), file) : null)
  if (value['kind'] === undefined || value['apiVersion'] === undefined) return null
  const metadata = asFields(value['metadata'])
  const driver = asFields(asFields(asFields(value['spec'])['check'])['driver'])
  if (value['kind'] !== 'Monitor' || typeof metadata['id'] !== 'string' || driver['type'] === undefined)
    throw new UsageError(`${file} is not a Monitor with metadata.id and spec.check.driver.`)
  return value as unknown as Draft
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

async function monitorOfFleetFile(file: string, terminal: Session['terminal']): Promise<Draft> {
  const loaded = await loadSingle(file, { drivers: driverShapes, environment: terminal.environment })
  const resources: Iterable<PlacedResource> = fleetResources(loaded)
  for (const { resource } of resources) if (resource.kind === 'Monitor') return resource
  throw new Error(`${file} has no monitor`)
}

function reportOf(
  { id, name = id }: Draft['metadata'],
  { type, config }: v2.DriverConfig,
  { outcome, latencyMs, phases, reason, warning, observations }: v2.CheckTrial,
): CheckReport {
  const driver = Object.hasOwn(checks, type) ? checks[type as keyof typeof checks] : null
  const ends = observations.find(({ name: about }) => about === endOfCertificate)
  return {
    id,
    name,
    type,
    target: driver === null ? '' : shownTarget(driver, (config ?? {}) as object),
    phases,
    observations,
    status: outcome === 'noData' ? 'no_data' : outcome,
    latencyMs,
    reason: reason ?? null,
    warning: warning ?? null,
    evidence: null,
    certificateExpiresAt: ends === undefined ? null : Date.parse(ends.seen),
  }
}
