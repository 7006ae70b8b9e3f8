// scripts/generate/openapi-documents.ts: the OpenAPI documents of the editions, as each serves its own at
// /api/openapi.json where a token is set, and that of v2 alone, with everything that it can be built with.
import { apiInfo, openApi } from '@pulseward/contract/openapi'
import { sessionApi } from '@pulseward/contract/session/api'
import { v1Api } from '@pulseward/contract/v1/api'
import { v2Api } from '@pulseward/contract/v2/api'
import manifest from '../../package.json' with { type: 'json' }

export async function openApiDocuments(): Promise<Map<string, string>> {
  const info = { ...apiInfo, version: manifest.version }
  const documents = {
    main: openApi({ info, edition: 'main', apis: [v1Api], authentication: true }),
    candidate: openApi({ info, edition: 'candidate', apis: [v1Api], authentication: true }),
    next: openApi({ info, edition: 'next', apis: [v1Api, sessionApi, v2Api], authentication: true }),
    v2: openApi({ info, edition: 'next', apis: [v2Api], authentication: true, builds: ['external_jobs'] }),
  }
  return new Map(
    Object.entries(documents).map(([name, document]) => [
      `docs/generated/openapi-${name}.json`,
      `${JSON.stringify(document, null, 2)}\n`,
    ]),
  )
}
