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
  refuseV2: ((path: string) => FastifyReply) | null,
): FastifyReply {
  const path = pathOf(request)
  if (refuseV2 !== null && isV2(path)) return refuseV2(path)
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  if (isForMachines(path)) return refuse(request, reply, path, paths)
  if (isReading && (path === '/' || isNavigation(request)))
    return sendAsset(request, reply, assets.find(path) ?? assets.page)
  const asset = isReading ? assets.find(path) : null
  return asset === null ? refuse(request, reply, path, paths) : sendAsset(request, reply, asset)
}

/** A browser that opens an address, not a script, an image or a program that wants a file. */
function isNavigation({ headers }: FastifyRequest): boolean {
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
