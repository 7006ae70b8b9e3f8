// core/methods.ts: a table of operations as an object of methods. The types of the methods are generated beside the
// table; nothing here knows a single operation.
import { call } from './call.ts'
import type { CallOptions } from './method.ts'
import type { OperationTable } from './operation-row.ts'
import { allRows } from './pages.ts'
import type { Arguments } from './request.ts'
import type { Settings } from './settings.ts'

export function methodsOf<Methods extends object>(
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
