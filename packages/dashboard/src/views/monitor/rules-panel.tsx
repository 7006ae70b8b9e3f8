// views/monitor/rules-panel.tsx: when a check counts as failed, what is done then, and which notifications wait.
import { CodeMark } from '../../components/code-mark.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { Until } from '../../components/time.tsx'
import type { MonitorDetail } from '../../data/monitor.ts'
import { plural } from '../../format/count.ts'
import styles from './monitor.module.css'

export function RulesPanel({ monitor }: { readonly monitor: MonitorDetail }) {
  const { thresholds, recovery, maintenance, verification } = monitor
  return (
    <Panel title="What is done about it">
      <Facts>
        <Fact term="Counts as failed">after {plural(thresholds.unhealthy, 'failure')} in a row</Fact>
        <Fact term="Counts as recovered">after {plural(thresholds.healthy, 'healthy check')}</Fact>
        <Fact term="Recovery">
          {recovery.configured ? (recovery.driver ?? 'configured') : 'none is configured'}
        </Fact>
        {verification !== null && (
          <Fact term="Verification">
            {verification.healthy} of {plural(verification.needed, 'healthy check')}
          </Fact>
        )}
        <Fact term="Maintenance">
          {maintenance.active ? (
            <>
              now; ends <Until at={maintenance.until} />
            </>
          ) : (
            'not now'
          )}
        </Fact>
        <Fact
          term="Notifications in flight"
          note="active_codes, the most important first: that is pending_code"
        >
          {monitor.active_codes.length === 0 ? (
            'none'
          ) : (
            <span className={styles.codes}>
              {monitor.active_codes.map((code) => (
                <CodeMark key={code} code={code} />
              ))}
            </span>
          )}
        </Fact>
      </Facts>
    </Panel>
  )
}
