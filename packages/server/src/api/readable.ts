// api/readable.ts: reads from the store for an answer. A store that cannot be read becomes a problem with its
// own code, never an empty list; the reason stays in the cause.
import { ApiError } from '../requests/problem.ts'

export async function readable<Value>(
  reading: Promise<Value>,
  code: 'unavailable' | 'history_unavailable',
  detail: string,
): Promise<Value> {
  try {
    return await reading
  } catch (error) {
    throw new ApiError(code, detail, [], null, error)
  }
}
