// views/monitors/search-field.tsx: results as you type: the URL follows every letter. The text is kept beside it, since
// browsers let a URL change only so often. When the URL changes by another way, the text follows it.
import { type RefObject, useEffect, useRef, useState } from 'react'
import { TextField } from '../../components/field.tsx'

export interface SearchFieldProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly value: string
  readonly onChange: (value: string) => void
}

export function SearchField({ input, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  const type = (typed: string) => {
    told.current = typed
    setText(typed)
    onChange(typed)
  }
  return (
    <TextField
      label="Name"
      type="search"
      placeholder="A part of the name"
      aria-keyshortcuts="/"
      ref={input}
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  )
}
