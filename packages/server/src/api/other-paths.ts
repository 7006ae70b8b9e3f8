// api/other-paths.ts: answers paths without a route: the dashboard and its files for browsers, a refusal with
// its reason for everything else.

import { ApiError } from '../requests/problem.ts'
import type { Asset, Assets } from './assets.ts'
import { isForMachines } from './authentication.ts'
import { knownTag } from './entity-tag.ts'
import type { Exchange } from './exchange.ts'
import { isV2 } from './request-path.ts'

/** `isKnown`: the path has routes for other methods. */
export function answerOtherPath(exchange: Exchange, isKnown: boolean, assets: Assets): void {
  const asset = assetFor(exchange, assets)
  if (asset === null) throw refusal(exchange, isKnown)
  const known = knownTag(exchange.headers['if-none-match'], asset.tag)
  exchange.setHeaders({ ...asset.headers, etag: known ?? asset.tag })
  if (known === null) exchange.send(200, asset.bytes)
  else exchange.sendNotModified(asset.bytes)
}

/** The dashboard page or file that the request is for; null if it is for something else. */
export function assetFor(exchange: Exchange, assets: Assets): Asset | null {
  const { method, path } = exchange
  const isReading = method === 'GET' || method === 'HEAD'
  if (!isReading || isForMachines(path)) return null
  const asset = assets.find(path)
  return path === '/' || isNavigation(exchange) ? (asset ?? assets.page) : asset
}

/** Whether a browser opens the address; false for scripts, images and programs. */
export function isNavigation({ headers }: Exchange): boolean {
  return headers.accept?.toLowerCase().includes('text/html') ?? false
}

function refusal(exchange: Exchange, isKnown: boolean): ApiError {
  const { method, path } = exchange
  if (isV2(path)) return new ApiError('api_version_not_served', 'This edition serves no v2 route.')
  if (!isKnown && path !== '/') return new ApiError('not_found', 'There is nothing at this path.')
  exchange.setHeader('allow', 'GET, HEAD')
  return new ApiError('method_not_allowed', `${method} is not allowed here; use GET or HEAD.`)
}
