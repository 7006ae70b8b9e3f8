// views/manage/editor.tsx: one document, as a form and as text side by side, validated by the service while it is typed.
import { type FormEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import type { V2Requests } from '../../data/v2-request.ts'
import type { VersionedResource } from '../../data/v2-resource.ts'
import { plural } from '../../format/count.ts'
import { useUnsaved } from '../../shell/leaving.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { type Draft, draftOf, withText } from './draft.ts'
import { EditorHelp } from './editor-help.tsx'
import { FormContext, type FormState } from './form/form-state.ts'
import { ResourceForm } from './form/resource-form.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { isObject, type Json, withValue } from './json.ts'
import { editAddress, type KindWords } from './kinds.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import styles from './manage.module.css'
import { type Mark, marksOf } from './marks.ts'
import { nameOf, writablePart } from './resource-document.ts'
import type { Schema } from './schema.ts'
import { selectLine, TextEditor } from './text-editor.tsx'
import { type Saving, useSaving } from './use-saving.ts'
import { useValidation } from './use-validation.ts'
import type { Validation } from './validation.ts'

export interface EditorProps {
  readonly words: KindWords
  readonly schema: Schema
  readonly requests: V2Requests
  /** What a new one begins with, or what is there. */
  readonly start: { readonly document: Json } | VersionedResource
}

export default function Editor({ words, schema, requests, start }: EditorProps) {
  const [, navigate] = useLocation()
  const [base, setBase] = useState('resource' in start ? start : null)
  const [draft, setDraft] = useState(() => draftOf('resource' in start ? partOf(start) : start.document))
  /** The value of a credential: in no text and in no state of the URL. */
  const [hidden, setHidden] = useState('')
  const [isDeleting, setIsDeleting] = useState(false)
  /** What a new one begins with is not worth saving. */
  const [savedText, setSavedText] = useState(draft.text)
  const area = useRef<HTMLTextAreaElement>(null)
  const id = base?.resource.metadata.id ?? null
  const isChanged = hidden !== '' || draft.text !== savedText
  const leaving = useUnsaved(isChanged)

  const complete = useCallback(
    (document: Json) => (hidden === '' ? document : withValue(document, ['spec', 'value'], hidden)),
    [hidden],
  )
  const take = (taken: VersionedResource) => {
    const next = draftOf(partOf(taken))
    setBase(taken)
    setDraft(next)
    setSavedText(next.text)
    setHidden('')
  }
  const { saving, save, showConflict, settle } = useSaving({
    words,
    requests,
    base: base === null ? null : { id: base.resource.metadata.id, version: base.version },
    onSaved(saved) {
      take(saved)
      leaving.release()
      if (base === null) navigate(editAddress(words, saved.resource.metadata.id), { replace: true })
    },
  })
  const validation = useValidation(draft, { requests, complete, isNew: base === null })
  const marks = useMemo(() => marksOf(draft, errorsOf(validation, saving)), [draft, validation, saving])

  const change = (next: Draft) => {
    setDraft(next)
    if (saving.kind !== 'sending' && saving.kind !== 'conflict') settle()
  }
  const form: FormState = {
    document: draft.document,
    marks,
    change: (path, value, kept) => change(draftOf(withValue(draft.document, path, value, kept))),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const first = marks.find(({ level }) => level === 'mistake')
    if (first !== undefined && (saving.kind !== 'refused' || !draft.read.isRead))
      return selectLine(area.current, first.line)
    if (draft.read.isRead) void save(complete(draft.read.value))
  }
  return (
    <>
      {saving.kind === 'conflict' && base !== null && (
        <ConflictPanel
          words={words}
          id={base.resource.metadata.id}
          before={partOf(base)}
          now={saving.now}
          requests={requests}
          onTakeTheirs={(now) => {
            take(now)
            settle()
          }}
          onKeepMine={(now) => {
            setBase(now)
            setSavedText(draftOf(partOf(now)).text)
            settle()
          }}
        />
      )}
      <form className={styles.editor} onSubmit={submit} noValidate aria-label={`The ${words.one}`}>
        <EditorHelp words={words} />
        <div className={styles.columns}>
          <Panel title="Form">
            <FormContext value={form}>
              {!draft.read.isRead && (
                <p className={styles.resting}>
                  The text cannot be read at this moment. The form rests until it can.
                </p>
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
          </Panel>
          <div className={styles.side}>
            <Panel title="YAML" aside="the same document; JSON can be pasted, too">
              <TextEditor
                label="document"
                text={draft.text}
                marks={marks}
                area={area}
                onChange={(text) => change(withText(draft, text))}
              />
            </Panel>
          </div>
        </div>
        <div className={styles.bar}>
          <Button type="submit" weight="strong" aria-disabled={saving.kind === 'sending'}>
            {saving.kind === 'sending' ? 'Saving' : base === null ? `Create the ${words.one}` : 'Save'}
          </Button>
          {id !== null && <Button onClick={() => setIsDeleting(true)}>Delete</Button>}
          <p role="status" className={styles.state}>
            {stateInWords(validation, saving, marks, isChanged)}
          </p>
        </div>
      </form>
      {id !== null && base !== null && (
        <HistoryPanel words={words} id={id} version={base.version} requests={requests} />
      )}
      {leaving.isAsked && <LeaveDialog leaving={leaving} what={words.one} />}
      {isDeleting && id !== null && base !== null && (
        <DeleteDialog
          words={words}
          id={id}
          name={nameOf(partOf(base))}
          version={base.version}
          requests={requests}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => {
            leaving.release()
            navigate(`/manage/${words.segment}`, { replace: true })
          }}
          onConflict={() => {
            setIsDeleting(false)
            void showConflict(id)
          }}
        />
      )}
    </>
  )
}

function partOf({ resource }: VersionedResource): Json {
  return writablePart(resource as unknown as Json)
}

/** What the write was refused for stays until something changes. */
function errorsOf(validation: Validation, saving: Saving) {
  if (saving.kind === 'refused' && saving.errors.length > 0) return saving.errors
  return validation.kind === 'invalid' ? validation.errors : []
}

function stateInWords(
  validation: Validation,
  saving: Saving,
  marks: readonly Mark[],
  isChanged: boolean,
): string {
  if (saving.kind === 'sending') return ''
  if (saving.kind === 'refused') return `Not saved. ${saving.sentence}`
  if (saving.kind === 'said' && (saving.isTrouble || !isChanged)) return saving.sentence
  const mistakes = marks.filter(({ level }) => level === 'mistake').length
  if (mistakes > 0) return `${plural(mistakes, 'mistake')}: see the lines marked in the text.`
  if (validation.kind === 'asking') return 'Being validated.'
  if (validation.kind === 'unavailable')
    return `It cannot be validated at this moment. ${validation.sentence} It will be when it is saved.`
  if (validation.kind === 'valid') return isChanged ? 'Valid, not saved yet.' : 'Valid.'
  return ''
}
