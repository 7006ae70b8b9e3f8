// views/monitor/copied.tsx: a text with a button that copies it.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import styles from './push-panel.module.css'

export function Copied({ text, what }: { readonly text: string; readonly what: string }) {
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied.')
    } catch {
      setSaid('The browser does not allow copying here; select the text instead.')
    }
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
      <div className={styles.row}>
        <Button onClick={() => void copy()} onBlur={() => setSaid('')}>
          Copy {what}
        </Button>
        <span role="status">{said}</span>
      </div>
    </>
  )
}
