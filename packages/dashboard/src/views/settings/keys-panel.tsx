// views/settings/keys-panel.tsx: where the keys are listed, for people who do not know them yet.
import { Panel } from '../../components/panel.tsx'
import styles from './settings.module.css'

export function KeysPanel() {
  return (
    <Panel title="Keyboard">
      <p className={styles.note}>
        <kbd>?</kbd> lists the keys that work on a page; <kbd>Ctrl K</kbd> goes anywhere.
      </p>
    </Panel>
  )
}
