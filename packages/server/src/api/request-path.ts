// api/request-path.ts: the path that a request asks for, and whose it is.
import type { FastifyRequest } from 'fastify'

/** Proxies may send the whole URL instead of its path. */
export function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?', 1)
  return path.replace(/^https?:\/\/[^/]*/i, '')
}

export function isV2(path: string): boolean {
  return path.startsWith('/api/v2/') || path === '/api/v2'
}
