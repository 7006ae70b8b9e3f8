// create-client.ts: the client: the methods of v2, the reads of v1, and two helpers. The token is in a
// closure, where code that inspects the client cannot see it.
import { call } from './core/call.ts'
import type { CallOptions } from './core/method.ts'
import type { OperationTable } from './core/operation-row.ts'
import { allRows } from './core/pages.ts'
import type { Arguments } from './core/request.ts'
import type { Response } from './core/response.ts'
import { type ClientOptions, type Settings, settingsFrom } from './core/settings.ts'
import { type V1Methods, v1Table } from './generated/v1-operations.ts'
import { type V2Methods, v2Table } from './generated/v2-operations.ts'
import type { Operation } from './generated/v2-types.ts'
import { type MetricsWriter, type StreamedMetrics, streamMetrics } from './stream-metrics.ts'
import { waitForOperation } from './wait-for-operation.ts'

export interface Client extends V2Methods {
  /** The reads of v1. They are never used as a fallback for v2. */
  readonly v1: V1Methods
  /** Polls until the operation no longer runs. Cancelling the wait does not cancel the operation. */
  waitForOperation(given: { readonly id: string }, options?: CallOptions): Promise<Response<Operation>>
  /** Copies the Prometheus text of /metrics to a writer, which stays open. After an error it may hold a part. */
  streamMetrics(writer: MetricsWriter, options?: CallOptions): Promise<Response<StreamedMetrics>>
}

export function createClient(options: ClientOptions): Client {
  const settings = settingsFrom(options)
  return {
    ...methodsOf<V2Methods>(settings, v2Table),
    v1: methodsOf<V1Methods>(settings, v1Table),
    waitForOperation: (given, options) => waitForOperation(settings, given, options),
    streamMetrics: (writer, options) => streamMetrics(settings, writer, options),
  }
}

/** A table of operations as an object of methods. Their types are generated along with the table. */
function methodsOf<Methods extends object>(
  settings: Settings,
  table: OperationTable & Record<keyof Methods, unknown>,
): Methods {
  const methods = Object.entries<OperationTable[string]>(table).map(([name, row]) => {
    const method = (given?: Arguments, options?: CallOptions) => call(settings, name, row, given, options)
    const all = (given?: Arguments, options?: CallOptions) => allRows(settings, name, row, given, options)
    return [name, row.paged ? Object.assign(method, { all }) : method]
  })
  return Object.fromEntries(methods)
}
