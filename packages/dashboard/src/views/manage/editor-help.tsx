// views/manage/editor-help.tsx: what to know to fill in a document, and where to find more. Each field is described by
// the schema of the service. The page reaches no other host, so it names commands instead of linking to documents.
import { More } from './form/more.tsx'
import type { KindWords } from './kinds.ts'
import styles from './manage.module.css'

export function EditorHelp({ words }: { readonly words: KindWords }) {
  return (
    <More isNeeded={false} words={`Help with this ${words.one}`}>
      <ul className={styles.help}>
        {words.help.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        <li>
          The form and the text are one document: what changes in one changes in the other. Nothing is stored
          before you save.
        </li>
        <li>The text is YAML 1.2, of which JSON is a part. Comments in it are not stored.</li>
        <li>
          <code>npx pulseward explain {words.word}</code> lists every field.
        </li>
      </ul>
    </More>
  )
}
