// views/manage/text-editor.tsx: the document as text: a native textarea with line numbers, which mark lines
// with remarks. Only visible numbers are rendered, so that a document of any length stays fast.
import { type ClipboardEvent, type RefObject, useEffect, useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import type { Mark } from './marks.ts'
import styles from './text-editor.module.css'

const lineHeight = 20
/** Above the first line. */
const padding = 8
const manyLines = 2_000

export interface TextEditorProps {
  readonly label: string
  readonly text: string
  readonly marks: readonly Mark[]
  readonly area: RefObject<HTMLTextAreaElement | null>
  /** Without it the text is read-only. */
  readonly onChange?: (text: string) => void
}

export function TextEditor({ label, text, marks, area, onChange }: TextEditorProps) {
  const id = useId()
  const [seen, setSeen] = useState({ top: 0, height: 400 })
  useEffect(() => {
    const element = area.current
    if (element === null) return
    const look = () => setSeen({ top: element.scrollTop, height: element.clientHeight })
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look)
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [area])
  const isWrong = marks.some(({ level }) => level === 'mistake')
  return (
    <div className={styles.editor}>
      <div className={styles.box}>
        <Numbers count={linesIn(text)} marks={marks} top={seen.top} height={seen.height} />
        <textarea
          ref={area}
          className={styles.text}
          aria-label={label}
          aria-describedby={`${id}-marks`}
          aria-invalid={isWrong}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          readOnly={onChange === undefined}
          value={text}
          onChange={({ target }) => onChange?.(target.value)}
          onPaste={(event) => pasteLongText(event, onChange)}
        />
      </div>
      <ul id={`${id}-marks`} className={styles.marks} aria-label={`About the ${label}`}>
        {marks.map(({ level, pointer, line, message }) => (
          <li key={`${pointer} ${message}`} className={styles[level]}>
            <Button weight="quiet" className={styles.line} onClick={() => selectLine(area.current, line)}>
              Line {line}
            </Button>
            <span>
              {level === 'warning' && 'Warning: '}
              {pointer !== null && pointer !== '' && <code>{pointer}:</code>} {message}
              {/[.?]$/.test(message) ? '' : '.'}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Numbers(props: {
  readonly count: number
  readonly marks: readonly Mark[]
  readonly top: number
  readonly height: number
}) {
  const { count, marks, top, height } = props
  const first = Math.max(1, Math.floor((top - padding) / lineHeight))
  const last = Math.min(count, Math.ceil((top + height) / lineHeight))
  const lines = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  const levelOf = (line: number) => {
    const here = marks.filter((mark) => mark.line === line)
    return here.find(({ level }) => level === 'mistake')?.level ?? here[0]?.level
  }
  return (
    <div className={styles.numbers} aria-hidden="true">
      <div style={{ transform: `translateY(${(first - 1) * lineHeight + padding - top}px)` }}>
        {lines.map((line) => {
          const level = levelOf(line)
          return (
            <div key={line} className={level === undefined ? undefined : styles[level]} data-mark={level}>
              {line}
            </div>
          )
        })}
      </div>
    </div>
  )
}

export function selectLine(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return
  const lines = area.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  area.focus()
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  area.scrollTop = Math.max(0, (line - 4) * lineHeight)
}

/** Browsers insert pasted text line by line, which takes minutes for very long text: such text is inserted at once. */
function pasteLongText(
  event: ClipboardEvent<HTMLTextAreaElement>,
  onChange: ((text: string) => void) | undefined,
): void {
  const pasted = event.clipboardData.getData('text/plain')
  if (onChange === undefined || linesIn(pasted) < manyLines) return
  event.preventDefault()
  const area = event.currentTarget
  area.setRangeText(pasted.replaceAll('\r\n', '\n'), area.selectionStart, area.selectionEnd, 'end')
  onChange(area.value)
}

function linesIn(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
