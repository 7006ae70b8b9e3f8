// trials/draft.ts: judges what is to be tried as a write would be judged, by the same code, and gets it ready to run: its
// driver, its options with the values of credentials in place, and the texts that must not be shown.
import { v2 } from '@pulseward/contract'
import type { CheckDriver } from '../checks/driver.ts'
import { checks } from '../checks/registry.ts'
import {
  type ConfigInPlace,
  credentialName,
  type MissingCredential,
  putCredentialsInPlace,
} from '../config/fleet-file/credentials.ts'
import { isReported } from '../config/push-check.ts'
import { configWithReferences, credentialsOf, jobTypeOf, type Shapes } from '../kinds/driver-config.ts'
import { rule } from '../kinds/field-error.ts'
import type { Surroundings } from '../kinds/surroundings.ts'
import type { ResourceValidator } from '../kinds/validate-resource.ts'
import type { Notifier } from '../notify/driver.ts'
import { notifierOf } from '../notify/registry.ts'
import { parseDuration } from '../platform/duration.ts'
import { refusal, type V2FieldError } from '../requests/v2-problem.ts'

export interface DraftSurroundings {
  readonly validator: ResourceValidator
  /** As the next turn would see it. */
  readonly around: Surroundings
}

export interface Ready<Driver> {
  readonly driver: Driver
  /** Why it cannot even begin, if the value of a credential cannot be had. */
  readonly inPlace: ConfigInPlace | MissingCredential
}

const { trialTimeoutSeconds, trialTimeoutDefaultSeconds } = v2.limits
const metadata = { id: 'trial' }
/** Longer than any trial: a monitor's timeout is at most its interval. */
const interval = '1h'

export function readyCheck(
  { driver, timeout = `${trialTimeoutDefaultSeconds}s` }: v2.CheckTrialRequest,
  { validator, around }: DraftSurroundings,
): Ready<CheckDriver> & { readonly timeoutMs: number } {
  const spec = { check: { driver, interval, timeout } }
  const timeoutMs = parseDuration(timeout) ?? 0
  refuse([
    ...below('/spec/check', validator.errors('Monitor', { metadata, spec }, around, true)),
    ...(timeoutMs > trialTimeoutSeconds * 1_000
      ? [rule('/timeout', `must be at most ${trialTimeoutSeconds}s for a check that is tried`)]
      : []),
  ])
  refuse([
    ...external(driver, around.drivers.checks, '/driver/type'),
    ...(isReported(driver.type)
      ? [rule('/driver/type', 'is for jobs that report by themselves: there is nothing to try')]
      : []),
  ])
  const own = (checks as unknown as Readonly<Record<string, CheckDriver>>)[driver.type]!
  return { driver: own, timeoutMs, inPlace: inPlace(driver, own, around.drivers.checks, around) }
}

export function readyNotification(
  driver: v2.DriverConfig,
  { validator, around }: DraftSurroundings,
): Ready<Notifier> {
  const { notifiers } = around.drivers
  refuse(below('/spec', validator.errors('NotificationEndpoint', { metadata, spec: driver }, around, true)))
  refuse(external(driver, notifiers, '/type'))
  const own = notifierOf(driver)
  return { driver: own, inPlace: inPlace(driver, own, notifiers, around) }
}

function refuse(errors: readonly V2FieldError[]): void {
  if (errors.length > 0) throw refusal('invalidResource', 'body', errors)
}

/** The same mistakes, placed in the body of a trial. */
function below(prefix: string, errors: readonly V2FieldError[]): V2FieldError[] {
  return errors.map((error) =>
    error.field.startsWith(`${prefix}/`) ? { ...error, field: error.field.slice(prefix.length) } : error,
  )
}

/** A draft that is valid may still name a job type, which nothing here can run. */
function external(driver: v2.DriverConfig, shapes: Shapes, field: string): V2FieldError[] {
  if (jobTypeOf(driver, shapes) === null) return []
  const message = 'is a job type, which only workers outside the service run; save it to have them run it'
  return [{ field, reason: 'notAllowed', message }]
}

function inPlace(
  driver: v2.DriverConfig,
  { config: schema }: Pick<CheckDriver, 'config'>,
  shapes: Shapes,
  around: Surroundings,
): ConfigInPlace | MissingCredential {
  const values = credentialsOf(driver, shapes).map(
    (id) => [credentialName(id), around.credentialValue(id) ?? ''] as const,
  )
  return putCredentialsInPlace(schema, configWithReferences(driver), new Map(values))
}
