// api/request-path.ts: the path that a request asks for, and whose it is.
import type { FastifyRequest } from 'fastify'

export function pathOf(request: FastifyRequest): string {
  return pathIn(request.url)
}

/** Proxies may send the whole URL instead of its path. */
export function pathIn(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(/^https?:\/\/[^/]*/i, '')
}

export function isV2(path: string): boolean {
  return path.startsWith('/api/v2/') || path === '/api/v2'
}
