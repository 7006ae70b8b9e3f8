// components/code-mark.tsx: the color of a notification, as a mark and its word; never the color alone.
import type { Code } from '@pulseward/contract'
import { codeWords } from '../words/codes.ts'
import styles from './code-mark.module.css'

export function CodeMark({ code }: { readonly code: Code }) {
  return (
    <span className={styles.mark} title={`${codeWords[code]} (${code})`}>
      <i className={`${styles.dot} ${styles[code]}`} />
      {codeWords[code]}
    </span>
  )
}
