// views/settings/service-panel.tsx: the public settings of the service, in words.
import { type Config, pipelines } from '@pulseward/contract'
import { pipelineWords } from '@pulseward/contract/v1/words'
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Age, Duration, Time } from '../../components/time.tsx'
import { useConfig } from '../../data/config.ts'
import { formatCount, plural } from '../../format/count.ts'

export function ServicePanel() {
  return (
    <Panel title="Service" aside="read-only here: change it in the configuration">
      <ReadingView reading={useConfig()} what="The configuration">
        {(config) => <Settings config={config} />}
      </ReadingView>
    </Panel>
  )
}

const editionWords: Readonly<Record<Config['edition'], string>> = {
  main: 'main: in memory, lost on restart',
  candidate: 'candidate: durable',
  next: 'next: durable, with controls',
}

function Settings({ config }: { readonly config: Config }) {
  const { slo } = config
  return (
    <Facts>
      <Fact term="Version">{config.version}</Fact>
      <Fact term="Edition">{editionWords[config.edition] ?? config.edition}</Fact>
      <Fact term="Running">
        for <Age since={config.started_at} />, since <Time at={config.started_at} />
      </Fact>
      <Fact term="Listens on">
        <code>{config.listen}</code>
      </Fact>
      <Fact term="Authentication">{config.authentication ? 'by token' : 'none: this machine only'}</Fact>
      <Fact term="State is kept">{config.store.mode === 'memory' ? 'in memory' : 'on disk (SQLite)'}</Fact>
      <Fact term="Events are kept">
        {config.history_retention_days === null ? 'no' : plural(config.history_retention_days, 'day')}
      </Fact>
      {config.history_retention_days === null && (
        <Fact term="A snapshot of the fleet">
          every <Duration ms={config.snapshot_interval_ms} />
        </Fact>
      )}
      <Fact term="Largest fleet that can be listed">
        {config.index_cap === null ? 'no limit' : plural(config.index_cap, 'monitor')}
      </Fact>
      <Fact term="Same notification again" note="Of one color, monitor and destination">
        not within <Duration ms={config.alert_cooldown_ms} />
        {config.recovery_bypass && '; green is sent at once'}
      </Fact>
      {pipelines.map((name) => (
        <Fact key={name} term={`Queue of ${pipelineWords[name].toLowerCase()}`}>
          room for {formatCount(config.queue_capacity[name])}
        </Fact>
      ))}
      <Fact term="Checks dispatched at once">at most {formatCount(config.batch_size)}</Fact>
      <Fact term="A check should start">
        within <Duration ms={slo.queue_target_ms} />
      </Fact>
      <Fact term="A check should have its result">
        within <Duration ms={slo.result_target_ms} />
      </Fact>
      <Fact term="Both are measured over">
        <Duration ms={slo.window_seconds * 1000} />
      </Fact>
    </Facts>
  )
}
