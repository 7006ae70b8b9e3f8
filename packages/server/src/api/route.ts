// api/route.ts: what a v1 route is. An edition serves a list of them; the server adds everything that holds
// for all: authentication, methods, headers, problems.
export interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface Route {
  /** As fastify writes it: /api/v1/monitors/:id */
  readonly path: string
  answer(): Answer | Promise<Answer>
}
