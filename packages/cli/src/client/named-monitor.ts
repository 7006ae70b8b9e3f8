// client/named-monitor.ts: monitors as people name them: by id; by number, as older output and the addresses of the page
// have it; or by name where a fleet file gives no id. An id always wins: the others are tried only when no monitor has
// it, so the usual way costs no request.
import { type CallOptions, type Client, NotFoundError, PulsewardError } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { derivedIdentityPrefix, identityOf } from '@pulseward/server'
import { exitCodeOf } from './error-sentence.ts'

const largestNumber = 4_294_967_295

export function isNumber(text: string): boolean {
  return /^[0-9]{1,10}$/.test(text) && Number(text) <= largestNumber
}

/** The service has no such thing, as opposed to a route that its edition does not have. */
export function isMissing(error: unknown): error is PulsewardError {
  return error instanceof PulsewardError && error.category === 'notFound' && exitCodeOf(error) === 1
}

/** How `use` is called with the id of what a user has named. */
export type WithId = <Value>(
  client: Client,
  named: string,
  options: CallOptions,
  use: (id: string) => Promise<Value>,
) => Promise<Value>

/** `use` is called again with another id only when it did nothing because there was no monitor. */
export const withMonitor: WithId = async (client, named, options, use) => {
  try {
    return await use(named)
  } catch (error) {
    if (!isMissing(error)) throw error
    const id = isNumber(named)
      ? await idOfNumber(client, Number(named), options)
      : identityOf({ name: named })
    if (id === null) throw error
    return use(id).catch((again) => {
      // The service would tell of an id that the user did not type.
      throw isMissing(again) ? error : again
    })
  }
}

/** An incident by its id, or by the monitor that has it open. */
export const withIncident: WithId = async (client, named, options, use) => {
  try {
    return await use(named)
  } catch (error) {
    if (!isMissing(error)) throw error
    const monitor = await withMonitor(client, named, options, (id) =>
      client.getMonitor({ id }, options),
    ).catch((other) => {
      throw isMissing(other) ? error : other
    })
    const { metadata, status } = monitor.data
    if (status?.incidentID === undefined)
      throw isNotThere(`Monitor ${metadata.id} has no open incident`, 'notFound')
    return use(status.incidentID)
  }
}

async function idOfNumber(client: Client, number: number, options: CallOptions): Promise<string | null> {
  try {
    const { data } = await client.v1.getMonitor({ id: number }, options)
    return 'monitor_id' in data ? data.monitor_id : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Of a monitor that has left the fleet only history is kept. */
export function hasLeft(id: string): NotFoundError {
  return isNotThere(
    `Monitor ${id} is not in the fleet any more; \`pulseward get history --monitor ${id}\` shows what is kept of it`,
    'monitor_not_found',
  )
}

function isNotThere(detail: string, code: string): NotFoundError {
  return new NotFoundError(detail, { operation: 'getMonitor', code, problem: { code, detail, errors: [] } })
}

/** For lists, which are empty for a monitor that does not exist. */
export function existingMonitor(client: Client, named: string, options: CallOptions): Promise<string> {
  return withMonitor(client, named, options, async (id) => {
    await client.getMonitor({ id }, options)
    return id
  })
}

/** The service serves no v2: its edition is not `next`. */
export function isNotServed(error: unknown): boolean {
  return error instanceof PulsewardError && error.code === v2.notServedCode
}

/** The id under which people find it again: its name where a fleet file gives no id, its number in the edition main. */
export function shownId(row: {
  readonly id: number
  readonly name: string
  readonly monitor_id?: string
}): string {
  const { id, name, monitor_id: monitorId = String(id) } = row
  return monitorId.startsWith(derivedIdentityPrefix) ? name : monitorId
}
