// data/v2-resource.ts: one resource as it was when the user opened it. It is not refreshed automatically:
// what a person edits must not change underneath. The caller requests another read.
import type { v2 } from '@pulseward/contract'
import { useQuery } from '@tanstack/react-query'
import { ReadFailure } from './failure.ts'
import { type Reading, readingOf } from './reading.ts'
import { useV2, type V2Requests } from './v2-request.ts'

export interface VersionedResource {
  readonly resource: v2.Resource
  readonly version: string
}

export async function readResource(
  requests: V2Requests,
  path: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<VersionedResource> {
  const { body, version } = await requests.read<v2.Resource>(path, signal)
  if (version === null) throw new ReadFailure('refused', 'The answer has no version.')
  return { resource: body, version }
}

export function useResource(path: string): Reading<VersionedResource> {
  const requests = useV2()
  return readingOf(
    useQuery<VersionedResource>({
      queryKey: ['v2-resource', path],
      queryFn({ signal }) {
        if (requests === null) throw new ReadFailure('refused', 'Sign in to read this.')
        return readResource(requests, path, signal)
      },
      enabled: requests !== null,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      refetchOnWindowFocus: false,
    }),
  )
}
