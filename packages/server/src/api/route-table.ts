// api/route-table.ts: the routes of an edition by their paths: how fastify writes them, and whether a path is one of
// them, whatever the method was.
import { type Operation, v1Operations } from '@pulseward/contract'
import type { Route } from './route.ts'

export function operationOf({ operation }: Route): Operation {
  return v1Operations[operation]
}

/** `/api/v1/monitors/{id}` is `/api/v1/monitors/:id` there. */
export function fastifyPath({ path }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

export class KnownPaths {
  readonly #exact = new Set<string>()
  readonly #patterns: RegExp[] = []

  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      if (path.includes('{')) this.#patterns.push(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
      else this.#exact.add(path)
    }
  }

  has(path: string): boolean {
    return this.#exact.has(path) || this.#patterns.some((pattern) => pattern.test(path))
  }
}
