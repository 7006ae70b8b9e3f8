// api/routes/openapi.ts: the OpenAPI document of what this edition serves, and whether it asks for a credential. Made
// when it is first asked for: the schemas are worth loading only then, and those of v2 only where it is served.
import type { Edition } from '@pulseward/contract'
import { version } from '../../platform/version.ts'
import { json, type Route, route } from '../route.ts'

export interface OpenApiRouteOptions {
  readonly edition: Edition
  readonly authentication: boolean
  readonly servesV2: boolean
}

export function openApiRoute(options: OpenApiRouteOptions): Route {
  let document: Promise<unknown> | null = null
  return route('GetOpenAPI', async () => {
    document ??= makeDocument(options)
    return json(await document)
  })
}

async function makeDocument({ edition, authentication, servesV2 }: OpenApiRouteOptions): Promise<unknown> {
  const { apiInfo, openApi } = await import('@pulseward/contract/openapi')
  const { v1Api } = await import('@pulseward/contract/v1/api')
  const apis = servesV2 ? [v1Api, (await import('@pulseward/contract/v2/api')).v2Api] : [v1Api]
  return openApi({ info: { ...apiInfo, version }, edition, apis, authentication })
}
