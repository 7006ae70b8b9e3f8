// core/pages.ts: walks a list page by page. All pages show one committed position. A cursor that expires on
// the way is an error, never a shorter list.
import { call } from './call.ts'
import { failure } from './failure.ts'
import type { CallOptions } from './method.ts'
import type { OperationRow } from './operation-row.ts'
import type { Arguments } from './request.ts'
import type { Settings } from './settings.ts'

export async function* allRows(
  settings: Settings,
  operation: string,
  row: OperationRow,
  given: Arguments = {},
  options: CallOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  let cursor: string | undefined
  do {
    const { data } = await call(settings, operation, row, { ...given, cursor }, options)
    const { items, nextCursor } = (data ?? {}) as { items?: unknown; nextCursor?: string }
    // A page that leads to itself would be an endless loop.
    if (!Array.isArray(items) || (cursor !== undefined && nextCursor === cursor)) {
      throw failure({ operation, isMutation: false }, 'malformedAnswer')
    }
    yield* items
    cursor = nextCursor
  } while (cursor)
}
