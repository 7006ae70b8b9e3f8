// kinds/redact-spec.ts: the spec of a resource as readers and events see it: drivers without the secrets in
// their options, and without the secret of its kind.
import type { Json } from '../platform/json/json.ts'
import type { ManagedKind } from './kind.ts'
import { kindOf } from './kind-table.ts'
import { changeAt, type DriverSchemas, redactDriver } from './redact-config.ts'
import { redactedText } from './redact-url.ts'

export function redactSpec(kind: ManagedKind, spec: Json, schemas: DriverSchemas): Json {
  const { drivers, secret } = kindOf(kind)
  const open = secret === null ? spec : changeAt(spec, [secret], () => redactedText)
  return drivers.reduce(
    (redacted, { category, path }) =>
      changeAt(redacted, path, (driver) => redactDriver(category, driver, schemas)),
    open,
  )
}
