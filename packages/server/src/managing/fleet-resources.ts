// managing/fleet-resources.ts: everything of fleet files as resources that can be written through v2, each with its place in
// the files. Routes are not among them: v2 has none. Credentials come with their values, so what is made here must not be shown.
import { v2 } from '@pulseward/contract'
import type { LoadedFleet } from '../config/fleet-file/load-fleet.ts'
import { type FileResource, fileEndpoint, fileGroup, fileMonitor } from './file-resources.ts'

export interface PlacedResource {
  /** A file and a line or an entry of it. */
  readonly source: string
  readonly resource: v2.Resource
}

/** What others refer to comes first. */
export function* fleetResources(loaded: LoadedFleet): Generator<PlacedResource> {
  const { definition, credentials, files } = loaded
  const head = files.join(', ')
  for (const [id, value] of credentials)
    yield {
      source: `${head}: credentials.${id}`,
      resource: { apiVersion: v2.apiVersion, kind: 'Credential', metadata: { id }, spec: { value } },
    }
  for (const [id, endpoint] of definition.endpoints)
    yield { source: `${head}: endpoints.${id}`, resource: written(fileEndpoint(id, endpoint, '')) }
  for (const [id, members] of definition.groups)
    yield { source: `${head}: groups.${id}`, resource: written(fileGroup(id, members, '')) }
  for (let row = 0; row < definition.count; row++)
    yield { source: loaded.placeOf(row), resource: written(fileMonitor(definition, row, '')) }
}

function written({ kind, id, name, labels, spec }: FileResource): v2.Resource {
  const metadata = {
    id,
    ...(name === null ? {} : { name }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  }
  return { apiVersion: v2.apiVersion, kind, metadata, spec } as unknown as v2.Resource
}
