// views/manage/editor-help.tsx: what one has to know to fill in a document, and where more is told. Each field says for itself
// what it means, by the schema of the service. The page reaches no other host, so it names commands instead of linking
// to documents.
import { More } from './form/more.tsx'
import type { KindWords, ManagedKind } from './kinds.ts'
import styles from './manage.module.css'

const about: Readonly<Record<ManagedKind, readonly string[]>> = {
  Monitor: [
    'A duration is a whole number with its unit: 250ms, 30s, 5m, 1h.',
    'The interval is the time between two checks, at least 1s. The timeout is what one check may take, at most the interval.',
    'Three failures in a row count as a failure, unless another unhealthy threshold is given: one alone may be chance.',
    'Notifications name endpoints or groups, by the color that a monitor takes on. Make those first.',
  ],
  NotificationEndpoint: [
    'Tokens, passwords and webhook addresses are secrets: make a credential first and refer to it.',
    'An endpoint is told only of monitors whose notifications name it, or a group that holds it.',
  ],
  NotificationGroup: ['A group is told of what names it. An endpoint that is named twice is told once.'],
  Credential: [
    'The value goes to the service once and is in no text of this page. Others refer to the credential by its ID.',
    'A new value takes the place of the old one everywhere it is used.',
  ],
}

export function EditorHelp({ words }: { readonly words: KindWords }) {
  return (
    <More isNeeded={false} words={`Help with this ${words.one}`}>
      <ul className={styles.help}>
        {about[words.kind].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        <li>
          The form and the text are one document: what changes in one changes in the other. Nothing is stored
          before you save.
        </li>
        <li>The text is YAML 1.2, of which JSON is a part. Comments in it are not stored.</li>
        <li>
          <code>npx pulseward explain {words.one}</code> lists every field.
        </li>
      </ul>
    </More>
  )
}
