// views/alerts/running-pages.tsx: the pages of all policies that have not ended: whom each has told and when its next step
// fires. It is acknowledged here, with all of its incidents. Left out while there is none, and for users who may not read
// policies.
import type { v2 } from '@pulseward/contract'
import { askMany } from '../../acting/ask.ts'
import { useAllowedVerbs, VerbButtons } from '../../acting/verb-buttons.tsx'
import { Button } from '../../components/button.tsx'
import { MonitorLink } from '../../components/monitor-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { useKnownMonitors } from '../../data/known-monitors.ts'
import { useMay } from '../../data/may.ts'
import { usePolicies } from '../../data/on-call.ts'
import { bodyOf } from '../../data/reading.ts'
import { EscalationStatus } from '../../escalation/escalation-status.tsx'
import { byUrgency } from '../../escalation/escalation-words.ts'
import { plural } from '../../format/count.ts'
import styles from './alerts.module.css'

const mostPages = 20

export function RunningPages() {
  const policies = bodyOf(usePolicies(useMay('ListPolicies')))?.items ?? []
  const pages = byUrgency(policies.flatMap(({ status }) => status?.running ?? []))
  const total = policies.reduce((sum, { status }) => sum + (status?.pages ?? 0), 0)
  const shown = pages.slice(0, mostPages)
  const known = useKnownMonitors(shown.map(({ leadMonitorID }) => leadMonitorID))
  if (total === 0) return null
  return (
    <Panel title="Escalations" aside={plural(total, 'page')} className={styles.escalations}>
      <ul>
        {shown.map((page) => (
          <PageRow key={page.id} page={page} monitor={known.get(page.leadMonitorID)} />
        ))}
      </ul>
      {total > shown.length && (
        <p className={styles.words}>and {plural(total - shown.length, 'more page')} of policies</p>
      )}
    </Panel>
  )
}

/** The lead distinguishes the button of one page from those of others. */
function AcknowledgeAll({ page, name }: { readonly page: v2.EscalationPage; readonly name: string }) {
  const isAllowed = useAllowedVerbs(['acknowledge']).length > 0
  const mayAskMany = useMay('CreateOperation')
  const askForAll = () => askMany({ verb: 'acknowledge', chosen: { kind: 'page', page: page.id } })
  return (
    <>
      <p className={styles.words}>It stops when all of its incidents are acknowledged.</p>
      {isAllowed && mayAskMany && (
        <Button aria-haspopup="dialog" onClick={askForAll}>
          Acknowledge all {page.incidents}
          <span className="visually-hidden"> with {name}</span>
        </Button>
      )}
    </>
  )
}

interface PageRowProps {
  readonly page: v2.EscalationPage
  readonly monitor: { readonly id: number; readonly name: string } | undefined
}

function PageRow({ page, monitor }: PageRowProps) {
  const { leadMonitorID, incidents, state } = page
  const name = monitor?.name ?? leadMonitorID
  return (
    <li className={styles.page}>
      <p className={styles.what}>
        <MonitorLink id={monitor?.id} name={name} />
        {incidents > 1 && ` and ${plural(incidents - 1, 'more monitor')}`}
      </p>
      <EscalationStatus page={page} />
      {incidents === 1 && (
        <VerbButtons
          of={{ monitorId: leadMonitorID }}
          name={name}
          offered={state === 'acknowledged' ? [] : ['acknowledge']}
        />
      )}
      {incidents > 1 && state !== 'acknowledged' && <AcknowledgeAll page={page} name={name} />}
    </li>
  )
}
