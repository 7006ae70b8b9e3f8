// api/router.ts: finds the handler of a path. Paths are written as in the contract, `/api/v1/monitors/{id}`,
// and compared by segment: a literal segment takes precedence over a parameter. Case and slashes matter, and
// an empty segment counts as one.
import type { Exchange } from './exchange.ts'

export type PathParameters = Readonly<Record<string, string>>

/** Answers an exchange, or throws the problem to answer it with. */
export type Endpoint = (exchange: Exchange, parameters: PathParameters) => void | Promise<void>

/** The handlers of one path. */
export class Place {
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #parameters: readonly (readonly [name: string, index: number])[]

  constructor(template: readonly string[]) {
    this.#parameters = template.flatMap((segment, index) => {
      const name = parameterIn(segment)
      return name === null ? [] : [[name, index] as const]
    })
  }

  /** Without HEAD, which is answered wherever GET is. */
  get methods(): string[] {
    return [...this.#endpoints.keys()]
  }

  set(method: string, endpoint: Endpoint): void {
    this.#endpoints.set(method, endpoint)
  }

  endpointFor(method: string): Endpoint | undefined {
    return this.#endpoints.get(method === 'HEAD' ? 'GET' : method)
  }

  parametersIn(segments: readonly string[]): PathParameters {
    return Object.fromEntries(this.#parameters.map(([name, index]) => [name, segments[index] ?? '']))
  }
}

/** A node of the path tree: what may follow a segment. */
interface Branch {
  readonly fixed: Map<string, Branch>
  parameter: Branch | null
  place: Place | null
}

export class Router {
  readonly #root = newBranch()

  add(method: string, path: string, endpoint: Endpoint): void {
    const template = path.split('/')
    const branch = template.reduce(branchFor, this.#root)
    branch.place ??= new Place(template)
    branch.place.set(method, endpoint)
  }

  find(segments: readonly string[]): Place | null {
    return placeAt(this.#root, segments, 0)
  }
}

function newBranch(): Branch {
  return { fixed: new Map(), parameter: null, place: null }
}

function branchFor(before: Branch, segment: string): Branch {
  if (parameterIn(segment) !== null) {
    before.parameter ??= newBranch()
    return before.parameter
  }
  const branch = before.fixed.get(segment) ?? newBranch()
  before.fixed.set(segment, branch)
  return branch
}

function placeAt(branch: Branch, segments: readonly string[], depth: number): Place | null {
  const segment = segments[depth]
  if (segment === undefined) return branch.place
  const fixed = branch.fixed.get(segment)
  const place = fixed === undefined ? null : placeAt(fixed, segments, depth + 1)
  if (place !== null || branch.parameter === null) return place
  return placeAt(branch.parameter, segments, depth + 1)
}

function parameterIn(segment: string): string | null {
  return /^\{(\w+)\}$/.exec(segment)?.[1] ?? null
}
