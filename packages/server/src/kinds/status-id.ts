// kinds/status-id.ts: ids that are part of the address of a status page, which people read and type.
import { v2 } from '@pulseward/contract'
import type { FieldError } from '../config/shape/explain.ts'
import { rule } from './field-error.ts'

const allowed = new RegExp(v2.statusIdPattern)

export function statusIdErrors(id: string): FieldError[] {
  return allowed.test(id)
    ? []
    : [
        rule(
          '/metadata/id',
          'is part of an address: write at most 63 lower-case letters, digits and -, of which the first is a letter or a digit',
        ),
      ]
}
