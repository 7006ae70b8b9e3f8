// acting/act-fields.tsx: the fields of the dialog that the verb needs, each with its label and its mistake.
import { type ReactNode, useId } from 'react'
import { SelectField, TextField } from '../components/field.tsx'
import { useNowMs } from '../data/service-clock.ts'
import { formatDuration } from '../format/duration.ts'
import { formatTime } from '../format/time.ts'
import styles from './act.module.css'
import type { Mistake, Said, SaidField } from './control-request.ts'
import { type CustomUnit, customUnits, snoozeChoices, snoozeMs } from './snooze-length.ts'
import { resolutions, verbWords } from './verb-words.ts'
import type { Verb } from './verbs.ts'

export interface ActFieldsProps {
  readonly verb: Verb
  /** The driver of the recovery. */
  readonly recovery?: string | undefined
  readonly said: Said
  readonly mistake: Mistake | null
  readonly onSay: (part: Partial<Said>) => void
}

export function ActFields(props: ActFieldsProps) {
  const { verb, recovery, said, mistake, onSay } = props
  const { reason } = verbWords[verb]
  const problem = useId()
  const marked = (field: SaidField) =>
    mistake?.field === field ? { 'aria-invalid': true, 'aria-describedby': problem } : {}
  return (
    <>
      {verb === 'snooze' && <Length {...props} marked={marked('length')} />}
      {verb === 'review' && (
        <Choices legend="What did you find?">
          {resolutions.map(({ value, words }) => (
            <Choice
              key={value}
              words={words}
              name="resolution"
              isChosen={said.resolution === value}
              onChoose={() => onSay({ resolution: value })}
            />
          ))}
        </Choices>
      )}
      {reason !== 'none' && (
        <TextField
          label={reason === 'required' ? 'Why' : 'Why (may be left empty)'}
          name="reason"
          value={said.reason}
          onChange={({ target }) => onSay({ reason: target.value })}
          {...marked('reason')}
        />
      )}
      {verb === 'review' && (
        <label className={styles.area}>
          <span>Evidence: links or ticket numbers, one per line (may be left empty)</span>
          <textarea
            name="evidence"
            rows={2}
            spellCheck={false}
            value={said.evidence}
            onChange={({ target }) => onSay({ evidence: target.value })}
            {...marked('evidence')}
          />
        </label>
      )}
      {verb === 'recover' && (
        <label className={styles.choice}>
          <input
            type="checkbox"
            name="isConfirmed"
            checked={said.isConfirmed}
            onChange={({ target }) => onSay({ isConfirmed: target.checked })}
            {...marked('isConfirmed')}
          />
          <span>Yes, run {recovery === undefined ? 'these recoveries' : `“${recovery}”`} now</span>
        </label>
      )}
      <p id={problem} role="alert" className={styles.problem}>
        {mistake?.sentence}
      </p>
    </>
  )
}

function Length({ said, onSay, marked }: ActFieldsProps & { readonly marked: object }) {
  const { length } = said
  const nowMs = useNowMs()
  const ms = snoozeMs(length, nowMs)
  const say = (part: Partial<Said['length']>) => onSay({ length: { ...length, ...part } })
  return (
    <>
      <Choices legend="How long?">
        {snoozeChoices.map(({ value, words }) => (
          <Choice
            key={value}
            words={words}
            name="length"
            isChosen={length.choice === value}
            onChoose={() => say({ choice: value })}
          />
        ))}
      </Choices>
      {length.choice === 'custom' && (
        <div className={styles.custom}>
          <TextField
            label="How many"
            inputMode="numeric"
            value={length.amount}
            onChange={({ target }) => say({ amount: target.value })}
            {...marked}
          />
          <SelectField
            label="Unit"
            value={length.unit}
            onChange={({ target }) => say({ unit: target.value as CustomUnit })}
          >
            {customUnits.map(({ value, words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {ms !== null && (
        <p className={styles.note}>
          The snooze ends in {formatDuration(ms)} ({formatTime(nowMs + ms, nowMs)}).
        </p>
      )}
    </>
  )
}

function Choices({ legend, children }: { readonly legend: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}

function Choice(props: {
  readonly words: string
  readonly name: SaidField
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  return (
    <label className={styles.choice}>
      <input type="radio" name={props.name} checked={props.isChosen} onChange={props.onChoose} />
      <span>{props.words}</span>
    </label>
  )
}
