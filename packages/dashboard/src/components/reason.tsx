// components/reason.tsx: why something ended as it did, in the words of the provider or the service: text,
// never markup. A long one is cut to two lines; a click or Enter shows the rest.
import { withLocalTimes } from '../format/time.ts'
import styles from './reason.module.css'

/** This much fits on two lines of most columns; "more" after a text that is not cut would mislead. */
const shortLength = 160

export function Reason({ text: told }: { readonly text: string }) {
  const text = withLocalTimes(told)
  if (text.length <= shortLength)
    return (
      <div className={styles.reason}>
        <b>Why:</b> {text}
      </div>
    )
  // A summary alone: the whole text is always in the page, and opening only removes the cut.
  return (
    <details className={styles.reason}>
      <summary>
        <span>
          <b>Why:</b> {text}
        </span>
      </summary>
    </details>
  )
}
