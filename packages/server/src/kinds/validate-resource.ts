// kinds/validate-resource.ts: whether a resource may be written: everything that is wrong with it, all at
// once, each with a JSON pointer into the resource. The contract's schema has already validated its shape.
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import type { FieldError } from '../config/shape/explain.ts'
import type { Judge, ManagedKind, Sent } from './kind.ts'
import { kindOf, perKind } from './kind-table.ts'
import type { Surroundings } from './surroundings.ts'

export class ResourceValidator {
  readonly #judges: Readonly<Record<ManagedKind, Judge<unknown>>>

  constructor(drivers: DriverShapes) {
    this.#judges = perKind((name) => kindOf(name).judge(drivers))
  }

  errors(kind: ManagedKind, sent: Sent, around: Surroundings, isNew: boolean): FieldError[] {
    return this.#judges[kind](sent, around, isNew)
  }
}
