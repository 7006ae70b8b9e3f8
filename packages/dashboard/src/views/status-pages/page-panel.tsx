// views/status-pages/page-panel.tsx: one page as customers see it now, and what is written on it.
import type { v2 } from '@pulseward/contract'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Mark } from '../../components/status.tsx'
import { addressOfPage, type PublicPage, usePublicPage } from '../../data/status-pages.ts'
import { isOpen } from './incident-draft.ts'
import { phaseWords, stateLooks, stateWords } from './state-words.ts'
import styles from './status-pages.module.css'

export interface PagePanelProps {
  readonly page: v2.StatusPage
  /** Of this page. */
  readonly incidents: readonly v2.StatusIncident[]
  /** Null for users who may not write. */
  readonly onWrite: ((incident: v2.StatusIncident | null) => void) | null
}

export function PagePanel({ page, incidents, onWrite }: PagePanelProps) {
  const { id } = page.metadata
  const open = incidents.filter(isOpen)
  return (
    <Panel
      title={<bdi>{page.spec.title}</bdi>}
      aside={
        <a href={addressOfPage(id)} target="_blank" rel="noreferrer">
          Open the page
        </a>
      }
    >
      {page.spec.access === 'token' ? (
        <Empty>Customers need a token to read this page. Open it with one to see it as they do.</Empty>
      ) : (
        <PublicPreview id={id} />
      )}
      <h3 className={styles.heading}>Incidents that go on</h3>
      {open.length === 0 ? (
        <Empty>Nothing is written about an incident now.</Empty>
      ) : (
        <ul className={styles.incidents}>
          {open.map((incident) => (
            <li key={incident.metadata.id}>
              <a
                href={`${addressOfPage(id)}incidents/${incident.metadata.id}.html`}
                target="_blank"
                rel="noreferrer"
              >
                <bdi>{incident.spec.title}</bdi>
              </a>
              <span className={styles.quiet}>{phaseWords[incident.spec.updates.at(-1)!.phase!]}</span>
              {onWrite !== null && (
                <Button
                  onClick={() => onWrite(incident)}
                  aria-label={`Write an update of ${incident.spec.title}`}
                >
                  Write an update
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {onWrite !== null && (
        <Button
          className={styles.write}
          onClick={() => onWrite(null)}
          aria-label={`Write about an incident on ${page.spec.title}`}
        >
          Write about an incident
        </Button>
      )}
    </Panel>
  )
}

function PublicPreview({ id }: { readonly id: string }) {
  return (
    <ReadingView reading={usePublicPage(id)} what="The page">
      {(shown) => <Preview shown={shown} />}
    </ReadingView>
  )
}

function Preview({ shown }: { readonly shown: PublicPage }) {
  const components = shown.components.filter(({ group }) => !group)
  return (
    <div className={styles.preview}>
      <p>
        <b>{shown.status.description}</b>
      </p>
      <ul className={styles.states}>
        {components.map(({ id, name, status }) => (
          <li key={id}>
            <bdi>{name}</bdi>
            <Mark look={stateLooks[status]} title="What customers read of this component">
              {stateWords[status]}
            </Mark>
          </li>
        ))}
      </ul>
    </div>
  )
}
