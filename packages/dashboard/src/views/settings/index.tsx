// views/settings: the appearance of the page, and the public settings of the service. Nothing of the
// service is changed here.
import { PageTitle } from '../../components/page-title.tsx'
import { Panel } from '../../components/panel.tsx'
import { PanelGroup } from '../../components/panel-group.tsx'
import { AppearancePanel } from './appearance-panel.tsx'
import { ReadinessPanel } from './readiness-panel.tsx'
import { ServicePanel } from './service-panel.tsx'
import styles from './settings.module.css'

export default function Settings() {
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <PanelGroup className={styles.panels}>
        <PanelGroup className={styles.column}>
          <AppearancePanel />
          <ReadinessPanel />
          <KeysPanel />
        </PanelGroup>
        <ServicePanel />
      </PanelGroup>
    </>
  )
}

function KeysPanel() {
  return (
    <Panel title="Keyboard">
      <p className={styles.note}>
        <kbd>?</kbd> lists the keys that work on a page; <kbd>Ctrl K</kbd> goes anywhere.
      </p>
    </Panel>
  )
}
