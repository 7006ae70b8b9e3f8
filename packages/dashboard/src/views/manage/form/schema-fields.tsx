// views/manage/form/schema-fields.tsx: the fields of a schema of the service, to any depth. Optional parts
// without a value are closed; what no field can show is edited as text.
import { useState } from 'react'
import { type Path, pointerOf, valueAt } from '../json.ts'
import type { ManagedKind } from '../kinds.ts'
import { type FieldKind, fieldKind, fits, labelOf, type Schema, sortedFields } from '../schema.ts'
import { DriverField } from './driver-field.tsx'
import { FieldPlace } from './field-place.tsx'
import styles from './form.module.css'
import { useField, useForm } from './form-state.ts'
import { ObjectField, ObjectsField, type PartProps, VariantsField } from './group-fields.tsx'
import {
  BooleanLeaf,
  ChoiceLeaf,
  ChoicesLeaf,
  InTextLeaf,
  ScalarLeaf,
  TextLeaf,
  TextsLeaf,
} from './leaf-fields.tsx'
import { MapField } from './map-field.tsx'
import { More } from './more.tsx'
import { isReferred } from './option-references.ts'
import { ReferencesField } from './reference-fields.tsx'
import { SecretField, TextOrSecretField } from './secret-fields.tsx'

export interface SchemaFieldsProps {
  readonly schema: Schema
  readonly path: Path
  /** The path of the driver whose options these are. */
  readonly driver?: Path | undefined
  readonly omit?: readonly string[]
}

/** The members of an object. */
export function SchemaFields({ schema, path, driver, omit = [] }: SchemaFieldsProps) {
  const { document, marks } = useForm()
  const isThere = (name: string) =>
    valueAt(document, [...path, name]) !== undefined ||
    isReferred(document, driver, [...path, name]) ||
    marks.some(({ pointer }) => pointer?.startsWith(pointerOf([...path, name])))
  // An open part stays open while it is emptied and filled.
  const [first] = useState(() => sortedFields(schema, isThere).first)
  const shown = first.filter((name) => !omit.includes(name))
  const more = Object.keys(schema.properties ?? {}).filter(
    (name) => !first.includes(name) && !omit.includes(name),
  )
  const draw = (name: string) => {
    const inner = schema.properties?.[name]
    const isRequired = schema.required?.includes(name) ?? false
    if (inner === undefined) return null
    return (
      <SchemaField
        key={name}
        name={name}
        schema={inner}
        isRequired={isRequired}
        path={[...path, name]}
        driver={driver}
      />
    )
  }
  const given = more.filter(isThere)
  return (
    <div className={styles.fields}>
      {shown.map(draw)}
      {more.length > 0 && (
        <More isNeeded={given.length > 0} words={`More options (${more.length})`}>
          {more.map(draw)}
        </More>
      )}
    </div>
  )
}

const referenceKinds: Readonly<Record<string, ManagedKind>> = {
  dependsOn: 'Monitor',
  endpointRefs: 'NotificationEndpoint',
  groupRefs: 'NotificationGroup',
}

interface SchemaFieldProps {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly path: Path
  readonly driver: Path | undefined
  readonly label?: string
}

function SchemaField(props: SchemaFieldProps) {
  return (
    <FieldPlace path={props.path}>
      <OneField {...props} />
    </FieldPlace>
  )
}

function OneField({ name, schema, isRequired, path, driver, label = labelOf(name) }: SchemaFieldProps) {
  const field = useField(path, driver === undefined ? 1 : driver.length + 1)
  const kind = fieldKind(schema)
  const leaf = { label, schema, isRequired, field }
  const part = { label, schema, isRequired, path }
  const references = driver === undefined ? referenceKinds[name] : undefined
  if (!fits(kind, field.value)) return <InTextLeaf {...leaf} />
  if (references !== undefined)
    return <ReferencesField {...part} kind={references} hint={schema.description} />
  switch (kind.kind) {
    case 'text':
      return <TextLeaf {...leaf} />
    case 'number':
      return <ScalarLeaf {...leaf} types={['number']} />
    case 'scalar':
      return <ScalarLeaf {...leaf} types={kind.types} />
    case 'boolean':
      return <BooleanLeaf {...leaf} />
    case 'choice':
      return <ChoiceLeaf {...leaf} choices={kind.choices} />
    case 'choices':
      return <ChoicesLeaf {...leaf} choices={kind.choices} />
    case 'texts':
      return <TextsLeaf {...leaf} types={kind.types} />
    case 'secret':
    case 'text-or-secret': {
      if (driver === undefined) return <InTextLeaf {...leaf} />
      const Field = kind.kind === 'secret' ? SecretField : TextOrSecretField
      return <Field {...part} driver={driver} />
    }
    case 'driver':
      return <DriverFields path={path} />
    case 'object':
    case 'objects':
    case 'map':
    case 'variants':
      return <GroupField {...part} driver={driver} kind={kind} />
    case 'hidden-text':
    case 'as-text':
      return <InTextLeaf {...leaf} />
  }
}

interface GroupFieldProps extends PartProps {
  readonly isRequired: boolean
  readonly kind: Extract<FieldKind, { readonly kind: 'object' | 'objects' | 'map' | 'variants' }>
}

/** A field that contains other fields. */
function GroupField({ kind, isRequired, ...part }: GroupFieldProps) {
  const { path, driver } = part
  switch (kind.kind) {
    case 'object':
      return (
        <ObjectField {...part} isRequired={isRequired}>
          <SchemaFields schema={part.schema} path={path} driver={driver} />
        </ObjectField>
      )
    case 'objects':
      return (
        <ObjectsField {...part}>
          {(at) => <SchemaFields schema={kind.item} path={at} driver={driver} />}
        </ObjectsField>
      )
    case 'map':
      return (
        <MapField {...part} isRequired={isRequired}>
          {(member) => (
            <SchemaField
              name={member}
              label={member}
              schema={kind.value}
              isRequired
              path={[...path, member]}
              driver={driver}
            />
          )}
        </MapField>
      )
    case 'variants':
      return (
        <VariantsField {...part} variants={kind.variants}>
          {(chosen) => <SchemaFields key={chosen.name} schema={chosen.schema} path={path} driver={driver} />}
        </VariantsField>
      )
  }
}

/** A driver with its options. */
export function DriverFields({ path }: { readonly path: Path }) {
  return (
    <DriverField path={path}>
      {({ type, schema }) => (
        <SchemaFields key={type} schema={schema} path={[...path, 'config']} driver={path} />
      )}
    </DriverField>
  )
}
