// api/routes/openapi.ts: the OpenAPI document of what this edition serves, and whether it asks for a credential. Made
// when it is first asked for: the schemas are worth loading only then.
import type { Edition } from '@pulseward/contract'
import { version } from '../../platform/version.ts'
import { json, type Route, route } from '../route.ts'

export function openApiRoute(edition: Edition, authentication: boolean): Route {
  let document: Promise<unknown> | null = null
  return route('GetOpenAPI', async () => {
    document ??= makeDocument(edition, authentication)
    return json(await document)
  })
}

async function makeDocument(edition: Edition, authentication: boolean): Promise<unknown> {
  const { apiInfo, openApi } = await import('@pulseward/contract/openapi')
  const { v1Api } = await import('@pulseward/contract/v1/api')
  return openApi({ info: { ...apiInfo, version }, edition, apis: [v1Api], authentication })
}
