// scripts/generate/openapi-documents.ts: one OpenAPI document per API, with everything that any edition or
// build of it has. What an edition serves at /api/openapi.json is derived from the same tables at run time.
import { apiInfo, openApi } from '@pulseward/contract/openapi'
import { v1Api } from '@pulseward/contract/v1/api'
import { v2Api } from '@pulseward/contract/v2/api'
import manifest from '../../package.json' with { type: 'json' }

export async function openApiDocuments(): Promise<Map<string, string>> {
  const info = { ...apiInfo, version: manifest.version }
  const documents = {
    v1: openApi({ info, edition: 'next', apis: [v1Api], authentication: true }),
    v2: openApi({ info, edition: 'next', apis: [v2Api], authentication: true, builds: ['external_jobs'] }),
  }
  return new Map(
    Object.entries(documents).map(([name, document]) => [
      `docs/generated/openapi-${name}.json`,
      `${JSON.stringify(document, null, 2)}\n`,
    ]),
  )
}
