// views/manage/form/resource-form.tsx: the form of a resource: its identity, and its spec by the schema of its kind.

import { valueAt, withValue } from '../json.ts'
import type { ManagedKind } from '../kinds.ts'
import { idFor } from '../resource-document.ts'
import { fieldKind, type Schema, schemaAt } from '../schema.ts'
import { FieldPlace } from './field-place.tsx'
import styles from './form.module.css'
import { useField, useForm } from './form-state.ts'
import { HiddenTextLeaf, TextLeaf } from './leaf-fields.tsx'
import { DriverFields, SchemaFields } from './schema-fields.tsx'

export interface ResourceFormProps {
  readonly kind: ManagedKind
  readonly schema: Schema
  readonly isNew: boolean
  /** The value of a credential, which is in no document. */
  readonly hidden: string
  readonly onHidden: (value: string) => void
}

export function ResourceForm({ kind, schema, isNew, hidden, onHidden }: ResourceFormProps) {
  const spec = schemaAt(schema, ['spec']) ?? {}
  const { marks } = useField(['spec', 'value'])
  return (
    <div className={styles.fields}>
      <Identity schema={schema} isNew={isNew} />
      {kind === 'Credential' && (
        <FieldPlace path={['spec', 'value']}>
          <HiddenTextLeaf
            label="Value"
            hint={
              isNew
                ? 'The secret itself. Once it is stored, it is never shown again, not even to you.'
                : 'Leave it empty to keep the stored value.'
            }
            isRequired={isNew}
            value={hidden}
            marks={marks}
            onChange={onHidden}
          />
        </FieldPlace>
      )}
      {fieldKind(spec).kind === 'driver' ? (
        <DriverFields path={['spec']} />
      ) : (
        <SchemaFields schema={spec} path={['spec']} omit={kind === 'Credential' ? ['value'] : []} />
      )}
      <SchemaFields schema={labelsOf(schema)} path={['metadata']} />
    </div>
  )
}

function labelsOf(schema: Schema): Schema {
  const labels = schemaAt(schema, ['metadata', 'labels'])
  return { type: 'object', properties: labels === undefined ? {} : { labels } }
}

/** The id of a new resource follows its name until it is typed. An id never changes. */
function Identity({ schema, isNew }: { readonly schema: Schema; readonly isNew: boolean }) {
  const { document, change } = useForm()
  const name = useField(['metadata', 'name'])
  const id = useField(['metadata', 'id'])
  const rename = (next: typeof name.value) => {
    const before = valueAt(document, ['metadata', 'name'])
    const follows = isNew && (id.value === '' || id.value === idFor(typeof before === 'string' ? before : ''))
    const renamed = withValue(document, ['metadata', 'name'], next)
    const followed = typeof next === 'string' ? idFor(next) : ''
    change([], follows ? withValue(renamed, ['metadata', 'id'], followed) : renamed)
  }
  const part = (member: string) => schemaAt(schema, ['metadata', member]) ?? {}
  return (
    <>
      <FieldPlace path={['metadata', 'name']}>
        <TextLeaf label="Name" schema={part('name')} isRequired={false} field={{ ...name, set: rename }} />
      </FieldPlace>
      {isNew && (
        <FieldPlace path={['metadata', 'id']}>
          <TextLeaf
            label="ID"
            schema={part('id')}
            isRequired
            field={{ ...id, set: (next) => id.set(next ?? '') }}
          />
        </FieldPlace>
      )}
    </>
  )
}
