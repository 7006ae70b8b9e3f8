// client/pages.ts: reads a v2 list page by page. A page that the service cannot give now is requested again, so that one
// slow answer does not lose a long list. A cursor that expires on the way is an error, never a shorter list.
import type { CallOptions, Response } from '@pulseward/client'
import type { v2 } from '@pulseward/contract'
import { notItsAnswer } from './recognize.ts'
import { readAgain } from './try-again.ts'

export interface ListArguments {
  readonly cursor?: string
  readonly limit?: number
  readonly selector?: string
  readonly monitorID?: string
  readonly state?: v2.OperationState
}

export interface Page<Row> {
  items: Row[]
  nextCursor?: string
}

export type ReadPage<Row> = (given: ListArguments, options: CallOptions) => Promise<Response<Page<Row>>>

export async function* pagesOf<Row>(
  read: ReadPage<Row>,
  given: ListArguments,
  options: CallOptions,
): AsyncGenerator<Page<Row>, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const query = cursor === undefined ? given : { ...given, cursor }
    const { data } = await readAgain(options.signal, () => read(query, options))
    yield data
    if (data.nextCursor === undefined) return
    // A page that links to itself would be read forever.
    if (data.nextCursor === cursor) throw notItsAnswer('list')
    cursor = data.nextCursor
  }
}

export async function* everyRow<Row>(
  read: ReadPage<Row>,
  given: ListArguments,
  options: CallOptions,
): AsyncGenerator<Row, void, undefined> {
  for await (const { items } of pagesOf(read, given, options)) yield* items
}
