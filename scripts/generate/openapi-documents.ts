// scripts/generate/openapi-documents.ts: the OpenAPI documents of the editions, as each serves its own at
// /api/openapi.json.
import { apiInfo, openApi } from '@pulseward/contract/openapi'
import { v1Api } from '@pulseward/contract/v1/api'
import manifest from '../../package.json' with { type: 'json' }

export async function openApiDocuments(): Promise<Map<string, string>> {
  const info = { ...apiInfo, version: manifest.version }
  return new Map(
    (['main', 'candidate'] as const).map((edition) => [
      `docs/generated/openapi-${edition}.json`,
      `${JSON.stringify(openApi({ info, edition, apis: [v1Api] }), null, 2)}\n`,
    ]),
  )
}
