// core/problem.ts: reads an RFC 9457 problem of v1 or v2 without trusting it: members of the wrong type are
// left out, and a body that is not a problem document is ignored.

export interface Problem {
  readonly type?: string
  readonly title?: string
  readonly detail?: string
  readonly instance?: string
  readonly code?: string
  readonly errors: readonly FieldError[]
}

export interface FieldError {
  readonly field: string
  readonly reason?: string
  readonly message: string
}

const textMembers = ['type', 'title', 'detail', 'instance', 'code'] as const

export function parseProblem(text: string): Problem | null {
  const body = parsed(text)
  if (!isObject(body)) return null
  const members = textMembers.filter((member) => typeof body[member] === 'string')
  const errors = Array.isArray(body['errors']) ? body['errors'].flatMap(fieldError) : []
  return { ...Object.fromEntries(members.map((member) => [member, body[member]])), errors }
}

function fieldError(entry: unknown): FieldError[] {
  if (!isObject(entry)) return []
  const { field, reason, message } = entry as { field?: unknown; reason?: unknown; message?: unknown }
  if (typeof field !== 'string' || typeof message !== 'string') return []
  return [{ field, message, ...(typeof reason === 'string' ? { reason } : {}) }]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
