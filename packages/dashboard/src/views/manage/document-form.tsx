// views/manage/document-form.tsx: one document, as a form and as text side by side, and the bar that saves it.
import { type FormEvent, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { plural } from '../../format/count.ts'
import { draftOf, withText } from './draft.ts'
import { EditorHelp } from './editor-help.tsx'
import { FormContext, type FormState } from './form/form-state.ts'
import { ResourceForm } from './form/resource-form.tsx'
import { isObject, withValue } from './json.ts'
import type { KindWords } from './kinds.ts'
import styles from './manage.module.css'
import type { Schema } from './schema.ts'
import { selectLine, TextEditor } from './text-editor.tsx'
import { TrialPanel } from './trial/trial-panel.tsx'
import type { Trial } from './trial/use-trial.ts'
import type { Editing } from './use-editing.ts'

export interface DocumentFormProps {
  readonly words: KindWords
  readonly schema: Schema
  readonly editing: Editing
  /** Null for a kind that cannot be tried. */
  readonly trial: Trial | null
  readonly onDelete: () => void
}

export function DocumentForm({ words, schema, editing, trial, onDelete }: DocumentFormProps) {
  const { draft, marks, saving } = editing
  const area = useRef<HTMLTextAreaElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const first = marks.find(({ level }) => level === 'mistake')
    if (first !== undefined && (saving.kind !== 'refused' || !draft.read.isRead))
      return selectLine(area.current, first.line)
    editing.save()
  }
  return (
    <form className={styles.editor} onSubmit={submit} noValidate aria-label={`The ${words.one}`}>
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
              onChange={(text) => editing.change(withText(draft, text))}
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
  const { base, draft, marks, hidden, setHidden, change } = editing
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
      <fieldset className={styles.plain} disabled={!draft.read.isRead || !isObject(draft.document)}>
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
  const { base, saving } = editing
  return (
    <div className={styles.bar}>
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

function stateInWords({ validation, saving, marks, isChanged }: Editing): string {
  if (saving.kind === 'sending') return ''
  if (saving.kind === 'refused') return `Not saved. ${saving.sentence}`
  if (saving.kind === 'said' && (saving.isTrouble || !isChanged)) return saving.sentence
  const mistakes = marks.filter(({ level }) => level === 'mistake').length
  if (mistakes > 0) return `${plural(mistakes, 'mistake')}: see the lines marked in the text.`
  if (validation.kind === 'asking') return 'Being validated.'
  if (validation.kind === 'unavailable')
    return `It cannot be validated now. ${validation.sentence} It is validated when you save it.`
  if (validation.kind === 'valid') return isChanged ? 'Valid, not saved yet.' : 'Valid.'
  return ''
}
