// views/manage/document-form.tsx: one document, as a form and as text side by side, and the bar that saves it.
import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { plural } from '../../format/count.ts'
import { draftOf, withText } from './draft.ts'
import { EditorHelp } from './editor-help.tsx'
import { FormContext, type FormState } from './form/form-state.ts'
import { ResourceForm } from './form/resource-form.tsx'
import { isObject, withValue } from './json.ts'
import type { KindWords } from './kinds.ts'
import { leadToField } from './lead-to-field.ts'
import styles from './manage.module.css'
import type { Mark } from './marks.ts'
import type { Schema } from './schema.ts'
import { selectLine, TextEditor } from './text-editor.tsx'
import { TrialPanel } from './trial/trial-panel.tsx'
import type { Trial } from './trial/use-trial.ts'
import type { Editing } from './use-editing.ts'
import type { Saving } from './use-saving.ts'

export interface DocumentFormProps {
  readonly words: KindWords
  readonly schema: Schema
  readonly editing: Editing
  /** Null for a kind that cannot be tried. */
  readonly trial: Trial | null
  readonly onDelete: () => void
}

export function DocumentForm({ words, schema, editing, trial, onDelete }: DocumentFormProps) {
  const { draft, marks, mistakes, saving } = editing
  const form = useRef<HTMLFormElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const [ledTo, setLedTo] = useState<Mark | null>(null)
  const refused = useRef<Saving | null>(null)
  // Parts of the form that are closed open when their marks are shown, so the focus moves after that.
  useEffect(() => {
    if (ledTo === null) return
    if (ledTo.pointer === null || !leadToField(form.current, ledTo.pointer))
      selectLine(area.current, ledTo.line)
  }, [ledTo])
  // Saved before it was validated: the service names the mistakes in its refusal.
  useEffect(() => {
    if (saving.kind !== 'refused' || refused.current === saving) return
    refused.current = saving
    setLedTo(mistakes[0] === undefined ? null : { ...mistakes[0] })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    editing.showAllMarks()
    const [first] = mistakes
    if (first !== undefined && (saving.kind !== 'refused' || !draft.read.isRead))
      return setLedTo({ ...first })
    editing.save()
  }
  return (
    <form ref={form} className={styles.editor} onSubmit={submit} noValidate aria-label={`The ${words.one}`}>
      <EditorHelp words={words} />
      <div className={styles.columns}>
        <Panel title="Form">
          <Fields words={words} schema={schema} editing={editing} />
        </Panel>
        <div className={styles.side}>
          <Panel title="YAML" aside="the same document; you can also paste JSON">
            <TextEditor
              label="document"
              text={draft.text}
              marks={marks}
              area={area}
              onChange={(text) => {
                editing.showAllMarks()
                editing.change(withText(draft, text))
              }}
            />
          </Panel>
        </div>
      </div>
      {trial !== null && <TrialPanel trial={trial} />}
      <SaveBar words={words} editing={editing} trial={trial} onDelete={onDelete} />
    </form>
  )
}

function Fields({ words, schema, editing }: Omit<DocumentFormProps, 'onDelete' | 'trial'>) {
  const { base, draft, marks, hidden, setHidden, change, leaveField } = editing
  const onBlur = ({ target }: FocusEvent<HTMLElement>) => {
    const pointer = target.closest<HTMLElement>('[data-pointer]')?.dataset['pointer']
    if (pointer !== undefined) leaveField(pointer)
  }
  const form: FormState = {
    document: draft.document,
    marks,
    change: (path, value, kept) => change(draftOf(withValue(draft.document, path, value, kept))),
  }
  return (
    <FormContext value={form}>
      {!draft.read.isRead && (
        <p className={styles.resting}>The text cannot be read now. The form is disabled until it can.</p>
      )}
      <fieldset
        className={styles.plain}
        disabled={!draft.read.isRead || !isObject(draft.document)}
        onBlur={onBlur}
      >
        <legend className="visually-hidden">Fields</legend>
        <ResourceForm
          kind={words.kind}
          schema={schema}
          isNew={base === null}
          hidden={hidden}
          onHidden={setHidden}
        />
      </fieldset>
    </FormContext>
  )
}

function SaveBar({ words, editing, trial, onDelete }: Omit<DocumentFormProps, 'schema'>) {
  const { base, saving, validation } = editing
  return (
    <div className={styles.bar}>
      {validation.kind === 'valid' && validation.notes.map((note) => <Remark key={note}>{note}</Remark>)}
      <Button type="submit" weight="strong" aria-disabled={saving.kind === 'sending'}>
        {saving.kind === 'sending' ? 'Saving' : base === null ? `Create the ${words.one}` : 'Save'}
      </Button>
      {trial !== null && (
        <Button onClick={trial.isRunning ? trial.stop : trial.start}>
          {trial.isRunning ? 'Stop the test' : trial.words.button}
        </Button>
      )}
      {base !== null && <Button onClick={onDelete}>Delete</Button>}
      <p role="status" className={styles.state}>
        {stateInWords(editing)}
      </p>
    </div>
  )
}

/** Keeps nobody from saving. */
function Remark({ children }: { readonly children: string }) {
  return (
    <p role="note" className={styles.remark}>
      {children}
    </p>
  )
}

function stateInWords({ validation, saving, marks, isChanged }: Editing): string {
  if (saving.kind === 'sending') return ''
  if (saving.kind === 'refused') return `Not saved. ${saving.sentence}`
  if (saving.kind === 'said' && (saving.isTrouble || !isChanged)) return saving.sentence
  const mistakes = marks.filter(({ level }) => level === 'mistake').length
  if (mistakes > 0) return `${plural(mistakes, 'mistake')}: see the marked fields.`
  if (validation.kind === 'asking') return 'Validating…'
  if (validation.kind === 'unavailable')
    return `It cannot be validated now. ${validation.sentence} It is validated when you save it.`
  if (validation.kind === 'valid') return isChanged ? 'Valid, not saved yet.' : 'Valid.'
  return ''
}
