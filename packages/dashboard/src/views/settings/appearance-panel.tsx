// views/settings/appearance-panel.tsx: System, Light or Dark; applied at once, and stored by theme/appearance.ts.
import { Panel } from '../../components/panel.tsx'
import { Segments } from '../../components/segments.tsx'
import { type Appearance, appearances, chooseAppearance, useAppearance } from '../../theme/appearance.ts'
import styles from './settings.module.css'

const words: Readonly<Record<Appearance, string>> = { system: 'System', light: 'Light', dark: 'Dark' }

export function AppearancePanel() {
  const appearance = useAppearance()
  return (
    <Panel title="Appearance" aside="saved in this browser">
      <Segments
        label="Appearance"
        value={appearance}
        choices={appearances.map((value) => ({ value, words: words[value] }))}
        onChoose={chooseAppearance}
      />
      <p className={styles.note}>
        {appearance === 'system'
          ? 'Follows the operating system, also when it changes.'
          : 'Stays as you chose it, whatever the operating system uses.'}
      </p>
    </Panel>
  )
}
