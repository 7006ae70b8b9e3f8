// views/monitors/search-field.tsx: results as you type. The URL follows the text once the hands rest; when the URL
// changes by another way, the text follows the URL.
import { type RefObject, useEffect, useRef, useState } from 'react'
import { TextField } from '../../components/field.tsx'

/** Long enough for two letters in one stroke, too short to be felt. */
const restMs = 20

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
  useEffect(() => {
    if (text === told.current) return
    const timer = setTimeout(() => {
      told.current = text
      onChange(text)
    }, restMs)
    return () => clearTimeout(timer)
  }, [text, onChange])
  return (
    <TextField
      label="Name"
      type="search"
      placeholder="A part of the name"
      aria-keyshortcuts="/"
      ref={input}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
