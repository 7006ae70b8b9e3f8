// views/manage/form/schema-fields.tsx: the fields that a schema of the service asks for, to any depth. Optional parts that
// are not given are closed; what no field can show is left to the text.
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { bodyOf } from '../../../data/reading.ts'
import { useDiscovery, useExplained } from '../../../data/v2-reading.ts'
import { isObject, type Json, type Path, pointerOf, valueAt } from '../json.ts'
import type { ManagedKind } from '../kinds.ts'
import { fieldKind, fits, labelOf, type Schema, sortedFields, type Variant, variantOf } from '../schema.ts'
import { FieldFrame, Marks } from './field-frame.tsx'
import styles from './form.module.css'
import { useField, useForm } from './form-state.ts'
import { BooleanLeaf, ChoiceLeaf, InTextLeaf, ScalarLeaf, TextLeaf, TextsLeaf } from './leaf-fields.tsx'
import { ReferencesField } from './reference-fields.tsx'
import { SecretField, TextOrSecretField, withoutOption } from './secret-fields.tsx'

export interface SchemaFieldsProps {
  readonly schema: Schema
  readonly path: Path
  /** Where the driver stands whose options these are. */
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
  // What is open stays open while it is emptied and filled.
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

function More(props: { readonly isNeeded: boolean; readonly words: string; readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const isShown = isOpen || props.isNeeded
  return (
    <details
      className={styles.more}
      open={isShown}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{props.words}</summary>
      {/* Schemas are deep: what is closed is not drawn. */}
      {isShown && <div className={styles.fields}>{props.children}</div>}
    </details>
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

function SchemaField({ name, schema, isRequired, path, driver, label = labelOf(name) }: SchemaFieldProps) {
  const field = useField(path, driver === undefined ? 1 : driver.length + 1)
  const kind = fieldKind(schema)
  const leaf = { label, schema, isRequired, field }
  const references = driver === undefined ? referenceKinds[name] : undefined
  if (!fits(kind, field.value)) return <InTextLeaf {...leaf} />
  if (references !== undefined)
    return (
      <ReferencesField
        kind={references}
        label={label}
        hint={schema.description}
        isRequired={isRequired}
        path={path}
      />
    )
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
    case 'texts':
      return <TextsLeaf {...leaf} types={kind.types} />
    case 'secret':
    case 'text-or-secret': {
      if (driver === undefined) return <InTextLeaf {...leaf} />
      const Field = kind.kind === 'secret' ? SecretField : TextOrSecretField
      return <Field label={label} schema={schema} isRequired={isRequired} path={path} driver={driver} />
    }
    case 'driver':
      return <DriverField path={path} />
    case 'object':
      return <ObjectField label={label} schema={schema} isRequired={isRequired} path={path} driver={driver} />
    case 'objects':
      return <ObjectsField label={label} schema={schema} item={kind.item} path={path} driver={driver} />
    case 'map':
      return <MapField label={label} schema={schema} value={kind.value} path={path} driver={driver} />
    case 'variants':
      return (
        <VariantsField label={label} schema={schema} variants={kind.variants} path={path} driver={driver} />
      )
    case 'hidden-text':
    case 'as-text':
      return <InTextLeaf {...leaf} />
  }
}

interface PartProps {
  readonly label: string
  readonly schema: Schema
  readonly path: Path
  readonly driver: Path | undefined
}

function ObjectField({
  label,
  schema,
  isRequired,
  path,
  driver,
}: PartProps & { readonly isRequired: boolean }) {
  const { value, marks } = useField(path)
  const { document } = useForm()
  const isGiven = isRequired || value !== undefined || isReferred(document, driver, path)
  const fields = <SchemaFields schema={schema} path={path} driver={driver} />
  if (!isGiven)
    return (
      <More isNeeded={marks.length > 0} words={`${label}: ${firstWords(schema.description)}`}>
        {fields}
      </More>
    )
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <p className={styles.hint}>{schema.description}</p>
      <Marks marks={marks} />
      {fields}
    </fieldset>
  )
}

function ObjectsField({ label, schema, item, path, driver }: PartProps & { readonly item: Schema }) {
  const { value, set, marks } = useField(path)
  const items: readonly Json[] = Array.isArray(value) ? value : []
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <p className={styles.hint}>{schema.description}</p>
      <Marks marks={marks} />
      {items.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place.
        <div key={index} className={styles.item}>
          <SchemaFields schema={item} path={[...path, index]} driver={driver} />
          <Button
            aria-label={`Remove ${label} ${index + 1}`}
            onClick={() => set(items.length === 1 ? undefined : items.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button className={styles.start} aria-label={`Add to ${label}`} onClick={() => set([...items, {}])}>
        Add
      </Button>
    </fieldset>
  )
}

/** Names and texts, such as labels and headers. */
function MapField({ label, schema, value, path, driver }: PartProps & { readonly value: Schema }) {
  const { document, change } = useForm()
  const { value: members, marks } = useField(path)
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const given = [...Object.keys(isObject(members) ? members : {}), ...referredBelow(document, driver, path)]
  // A member stays in sight while its value moves to a credential or back.
  const [held, setHeld] = useState(given)
  const names = [...new Set([...held, ...given])]
  const kept = driver === undefined ? 1 : driver.length + 1
  const add = () => {
    if (name.trim() === '') return
    change([...path, name.trim()], text, kept)
    setHeld([...names, name.trim()])
    setName('')
    setText('')
  }
  const remove = (member: string) => {
    const at = [...path, member]
    setHeld(names.filter((one) => one !== member))
    if (driver === undefined) change(at, undefined, kept)
    else change([], withoutOption(document, driver, at))
  }
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <p className={styles.hint}>{schema.description}</p>
      <Marks marks={marks} />
      {names.map((member) => (
        <div key={member} className={styles.item}>
          <SchemaField
            name={member}
            label={member}
            schema={value}
            isRequired
            path={[...path, member]}
            driver={driver}
          />
          <Button aria-label={`Remove ${member}`} onClick={() => remove(member)}>
            Remove
          </Button>
        </div>
      ))}
      <div className={styles.pair}>
        <input
          className={styles.control}
          aria-label={`${label}: a new name`}
          placeholder="Name"
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <input
          className={styles.control}
          aria-label={`${label}: its value`}
          placeholder="Value"
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <Button aria-label={`Add to ${label}`} onClick={add}>
          Add
        </Button>
      </div>
    </fieldset>
  )
}

function VariantsField({
  label,
  schema,
  variants,
  path,
  driver,
}: PartProps & { readonly variants: readonly Variant[] }) {
  const { document, change, marks } = useForm()
  const { value } = useField(path)
  const [wanted, setWanted] = useState<string | null>(null)
  const given = variantOf(variants, value, (name) => isReferred(document, driver, [...path, name]))
  const chosen = given ?? variants.find(({ name }) => name === wanted) ?? null
  const choose = (name: string) => {
    setWanted(name)
    if (driver !== undefined) change([], withoutOption(document, driver, path))
    else change(path, undefined)
  }
  return (
    <>
      <FieldFrame
        label={label}
        hint={schema.description}
        marks={marks.filter(({ pointer }) => pointer === pointerOf(path))}
      >
        {(control) => (
          <select {...control} value={chosen?.name ?? ''} onChange={({ target }) => choose(target.value)}>
            <option value="">none</option>
            {variants.map(({ name }) => (
              <option key={name} value={name}>
                {labelOf(name)}
              </option>
            ))}
          </select>
        )}
      </FieldFrame>
      {chosen !== null && (
        <SchemaFields key={chosen.name} schema={chosen.schema} path={path} driver={driver} />
      )}
    </>
  )
}

const categories: Readonly<Record<string, keyof DriverNames>> = { check: 'check', recovery: 'recovery' }
interface DriverNames {
  readonly check?: readonly string[]
  readonly recovery?: readonly string[]
  readonly notification?: readonly string[]
}

/** Which driver, and its options by its own schema. */
export function DriverField({ path }: { readonly path: Path }) {
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
      {explained.available && explained.body.resource === `${category}.${chosen}` && (
        <SchemaFields
          key={chosen}
          schema={explained.body.schema as Schema}
          path={[...path, 'config']}
          driver={path}
        />
      )}
    </>
  )
}

function isReferred(document: Json, driver: Path | undefined, path: Path): boolean {
  if (driver === undefined) return false
  const dotted = path.slice(driver.length + 1).join('.')
  const names = Object.keys(valueAt(document, [...driver, 'credentialRefs']) ?? {})
  return names.some((name) => name === dotted || name.startsWith(`${dotted}.`))
}

/** Members of a map that only a credential gives. */
function referredBelow(document: Json, driver: Path | undefined, path: Path): readonly string[] {
  if (driver === undefined) return []
  const prefix = `${path.slice(driver.length + 1).join('.')}.`
  const names = Object.keys(valueAt(document, [...driver, 'credentialRefs']) ?? {})
  return names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
}

function firstWords(description = ''): string {
  return description.split(/[.:;]/)[0]?.toLowerCase() ?? ''
}
