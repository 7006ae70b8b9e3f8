// api/routes/openapi.ts: the OpenAPI document of the operations that this edition serves, and whether they need a
// credential. Built on first request: the schemas are loaded only then, and those of v2 only if v2 is served.
import type { Api, Edition } from '@pulseward/contract'
import { version } from '../../platform/version.ts'
import { type Route, route } from '../route.ts'

export interface OpenApiRouteOptions {
  readonly edition: Edition
  readonly authentication: boolean
  readonly servesV2: boolean
}

export function openApiRoute(options: OpenApiRouteOptions): Route {
  let document: Promise<string> | null = null
  return route('GetOpenAPI', async () => {
    document ??= writeDocument(options)
    return { status: 200, json: await document }
  })
}

/** As text: it is hundreds of kilobytes and never changes. */
async function writeDocument({ edition, authentication, servesV2 }: OpenApiRouteOptions): Promise<string> {
  const { apiInfo, openApi } = await import('@pulseward/contract/openapi')
  const { v1Api } = await import('@pulseward/contract/v1/api')
  const apis = servesV2 ? [v1Api, ...(await apisOfNext())] : [v1Api]
  return JSON.stringify(openApi({ info: { ...apiInfo, version }, edition, apis, authentication }))
}

async function apisOfNext(): Promise<Api[]> {
  const { sessionApi } = await import('@pulseward/contract/session/api')
  const { v2Api } = await import('@pulseward/contract/v2/api')
  return [sessionApi, v2Api]
}
