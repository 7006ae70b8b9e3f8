// data/v2-reading.ts: reads of v2, kept fresh like everything on the page. Nothing is requested
// while the user is signed out.
import type { v2 } from '@pulseward/contract'
import { ReadFailure } from './failure.ts'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'
import { useV2 } from './v2-request.ts'

/** Schemas and drivers change only with the service itself. */
const seldomMs = 600_000

export interface Explained {
  readonly resource: string
  readonly description: string
  readonly schema: unknown
}

export interface ResourceList {
  readonly items: readonly ListedResource[]
  readonly nextCursor?: string
}

export interface ListedResource {
  readonly kind: string
  readonly metadata: v2.Metadata
  readonly spec: unknown
  readonly status?: unknown
}

export function useDiscovery(): Reading<v2.Capabilities> {
  return useV2Reading('/api/v2/discovery', {}, seldomMs)
}

/** Null reads nothing. */
export function useExplained(id: string | null): Reading<Explained> {
  return useV2Reading(`/api/v2/schemas/${encodeURIComponent(id ?? '')}`, {}, seldomMs, id !== null)
}

export function useResourceList(
  path: string,
  parameters: { readonly limit: number; readonly cursor?: string | undefined },
  enabled = true,
): Reading<ResourceList> {
  return useV2Reading(path, parameters, undefined, enabled)
}

/** Operations over many items, newest first. */
export function useOperations(parameters: {
  readonly limit: number
  readonly cursor: string | undefined
  readonly state: v2.OperationState | undefined
}): Reading<v2.OperationList> {
  return useV2Reading('/api/v2/operations', parameters)
}

/** Null reads nothing. */
export function useV2Monitor(id: string | null): Reading<v2.Monitor> {
  return useV2Reading(`/api/v2/monitors/${encodeURIComponent(id ?? '')}`, {}, undefined, id !== null)
}

export function usePracticeTarget(): Reading<v2.PracticeTarget> {
  return useV2Reading('/api/v2/practice-target', {})
}

/** Null reads nothing. */
export function useV2Incident(id: string | null): Reading<v2.Incident> {
  return useV2Reading(`/api/v2/incidents/${encodeURIComponent(id ?? '')}`, {}, undefined, id !== null)
}

/** The newest actions of a monitor, by id. */
export function useV2Actions(monitorId: string, enabled: boolean): ReadonlyMap<string, v2.Action> {
  const parameters = { monitorID: monitorId, limit: newestActions }
  const reading = useV2Reading<v2.ActionList>('/api/v2/actions', parameters, undefined, enabled)
  return new Map(reading.available ? reading.body.items.map((action) => [action.id, action]) : [])
}

const newestActions = 500

export function useV2Reading<Body>(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
  everyMs?: number,
  enabled = true,
): Reading<Body> {
  const requests = useV2()
  return useReading<Body>('v2', path, {
    parameters,
    everyMs,
    enabled: enabled && requests !== null,
    async read(address, signal) {
      if (requests === null) throw new ReadFailure('refused', 'Sign in to read this.')
      return (await requests.read<Body>(address, signal)).body
    },
  })
}
