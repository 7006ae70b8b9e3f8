// views/monitor/check-panel.tsx: what is checked, how often, and when.
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { Percent } from '../../components/percent.tsx'
import { Age, Duration, Time, Until } from '../../components/time.tsx'
import type { MonitorDetail } from '../../data/monitor.ts'
import { formatCount, missing } from '../../format/count.ts'
import styles from './monitor.module.css'

export function CheckPanel({ monitor }: { readonly monitor: MonitorDetail }) {
  const { healthy_samples, total_samples, healthy_sample_percent } = monitor
  return (
    <Panel title="Check" aside={monitor.pulse_type}>
      <p className={styles.target}>
        <Target target={monitor.target} />
      </p>
      <Facts>
        {monitor.push === null && (
          <Fact term="Every">
            <Duration ms={monitor.interval_ms} />, timeout <Duration ms={monitor.timeout_ms} />
          </Fact>
        )}
        <Fact term="Last check">
          <Ago at={monitor.last_check} />
        </Fact>
        <Fact term="Last success">
          <Ago at={monitor.last_success} />
        </Fact>
        <Fact term="Next check">
          <Until at={monitor.next_check} />
        </Fact>
        <Fact term="Failures in a row">{formatCount(monitor.consecutive_failures)}</Fact>
        <Fact term="Healthy samples" note="Healthy checks among all checks. Not an SLA.">
          <Percent percent={healthy_sample_percent} /> · {formatCount(healthy_samples)} of{' '}
          {formatCount(total_samples)}
        </Fact>
        <Certificate at={monitor.certificate_expires_at} observedAt={monitor.certificate_observed_at} />
        {monitor.tags.length > 0 && <Fact term="Tags">{monitor.tags.join(', ')}</Fact>}
        {monitor.monitor_id !== undefined && (
          <Fact term="Identity">
            <code>{monitor.monitor_id}</code>
          </Fact>
        )}
      </Facts>
    </Panel>
  )
}

/** A web address can be opened, to see what the check sees. */
function Target({ target }: { readonly target: string }) {
  const shown = <code>{target}</code>
  if (!/^https?:\/\//.test(target)) return shown
  return (
    <a className={styles.link} href={target} target="_blank" rel="noopener noreferrer">
      {shown}
    </a>
  )
}

interface CertificateTimes {
  readonly at: string | null
  readonly observedAt: string | null
}

function Certificate({ at, observedAt }: CertificateTimes) {
  if (at === null) return null
  return (
    <Fact term="Certificate">
      expires <Until at={at} />
      <small className={styles.small}>
        <Time at={at} />
        {observedAt !== null && (
          <>
            , seen <Ago at={observedAt} />
          </>
        )}
      </small>
    </Fact>
  )
}

function Ago({ at }: { readonly at: string | null }) {
  if (at === null) return missing
  return (
    <>
      <Age since={at} /> ago
    </>
  )
}
