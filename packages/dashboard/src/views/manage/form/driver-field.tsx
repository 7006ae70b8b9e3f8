// views/manage/form/driver-field.tsx: selects the driver, and shows its options by its own schema.
import type { ReactNode } from 'react'
import { bodyOf } from '../../../data/reading.ts'
import { useDiscovery, useExplained } from '../../../data/v2-reading.ts'
import { isObject, type Json, type Path, valueAt } from '../json.ts'
import type { Schema } from '../schema.ts'
import { FieldPlace } from './field-place.tsx'
import { useField, useForm } from './form-state.ts'
import { ChoiceLeaf } from './leaf-fields.tsx'

const categories: Readonly<Record<string, keyof DriverNames>> = { check: 'check', recovery: 'recovery' }
interface DriverNames {
  readonly check?: readonly string[]
  readonly recovery?: readonly string[]
  readonly notification?: readonly string[]
}

export interface DriverFieldProps {
  readonly path: Path
  /** Renders the options of the selected driver. */
  readonly children: (options: { readonly type: string; readonly schema: Schema }) => ReactNode
}

export function DriverField({ path, children }: DriverFieldProps) {
  const category = categories[String(path.at(-2))] ?? 'notification'
  const { document, change } = useForm()
  const type = useField([...path, 'type'], path.length)
  const names = (bodyOf(useDiscovery())?.drivers as DriverNames | undefined)?.[category] ?? []
  const chosen = typeof type.value === 'string' ? type.value : ''
  const explained = useExplained(names.includes(chosen) ? `${category}.${chosen}` : null)
  const description = bodyOf(explained)?.description.replace(/ Where it takes .*$/, '')
  const choose = (next: Json | undefined) => {
    // Options of another driver would only be mistakes.
    const rest =
      isObject(valueAt(document, path)) && next !== undefined ? { type: next, config: {} } : { config: {} }
    change(path, rest, path.length)
  }
  return (
    <>
      <FieldPlace path={[...path, 'type']}>
        <ChoiceLeaf
          label={
            category === 'check'
              ? 'Kind of check'
              : category === 'recovery'
                ? 'Kind of action'
                : 'Kind of endpoint'
          }
          schema={description === undefined ? {} : { description }}
          isRequired
          field={{ ...type, set: choose }}
          choices={names}
        />
      </FieldPlace>
      {explained.available &&
        explained.body.resource === `${category}.${chosen}` &&
        children({ type: chosen, schema: explained.body.schema as Schema })}
    </>
  )
}
