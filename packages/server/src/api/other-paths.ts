// api/other-paths.ts: answers where no route is: the dashboard and its files for browsers, a refusal with its reason for
// everything else.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asset, Assets } from './assets.ts'
import { isForMachines } from './authentication.ts'
import { sendNotModified } from './compression.ts'
import { knownTag } from './entity-tag.ts'
import { ApiError, sendProblem } from './problem.ts'
import { isV2, pathOf } from './request-path.ts'
import type { KnownPaths } from './route-table.ts'

export function answerOtherPath(
  request: FastifyRequest,
  reply: FastifyReply,
  paths: KnownPaths,
  assets: Assets,
  refuseOwn: (path: string) => FastifyReply | null,
): FastifyReply {
  const path = pathOf(request)
  const refused = refuseOwn(path)
  if (refused !== null) return refused
  const asset = assetFor(request, path, assets)
  return asset === null ? refuse(request, reply, path, paths) : sendAsset(request, reply, asset)
}

/** The page or the file of the dashboard that the request is for; null when it is for something else. */
export function assetFor(request: FastifyRequest, path: string, assets: Assets): Asset | null {
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  if (!isReading || isForMachines(path)) return null
  const asset = assets.find(path)
  return path === '/' || isNavigation(request) ? (asset ?? assets.page) : asset
}

/** A browser that opens an address, not a script, an image or a program that wants a file. */
export function isNavigation({ headers }: FastifyRequest): boolean {
  return headers.accept?.toLowerCase().includes('text/html') ?? false
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const known = knownTag(request.headers['if-none-match'], asset.tag)
  reply.headers({ ...asset.headers, etag: known ?? asset.tag })
  return known === null ? reply.code(200).send(asset.bytes) : sendNotModified(reply, asset.bytes)
}

function refuse(request: FastifyRequest, reply: FastifyReply, path: string, paths: KnownPaths): FastifyReply {
  if (isV2(path))
    return sendProblem(reply, new ApiError('api_version_not_served', 'This edition serves no v2 route.'))
  if (!paths.has(path)) return sendProblem(reply, new ApiError('not_found', 'There is nothing at this path.'))
  reply.header('allow', 'GET, HEAD')
  return sendProblem(
    reply,
    new ApiError('method_not_allowed', `${request.method} is not allowed here; use GET or HEAD.`),
  )
}
