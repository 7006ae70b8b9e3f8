// projection/metric-registry.ts: every metric family: its name on the wire, its type, unit, labels and help, and which
// services have it. Both the metrics and docs/metrics.md are made from this table, so they always name the same families.

/** The units of the values. */
export const metricUnits = {
  count: 'number',
  seconds: 'seconds',
  bytes: 'bytes',
  ratio: 'share, 0 to 1',
  time: 'Unix time in seconds',
  flag: '0 or 1',
} as const

/** Which services have a family; all of them by default. */
export const metricPresence = {
  always: 'all',
  durable: 'candidate, next',
  next: 'next',
  shared: 'candidate, next on PostgreSQL',
  external: 'next with `external_jobs`',
  locations: 'next with other locations',
  perMonitor: 'all with `metrics.per_monitor`',
} as const

interface MetricDefinition {
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly unit: keyof typeof metricUnits
  readonly labels: readonly string[]
  readonly help: string
  readonly presence: keyof typeof metricPresence
}

type Options = Partial<Pick<MetricDefinition, 'unit' | 'presence'>>

const definition =
  <const Type extends MetricDefinition['type']>(type: Type, usualUnit: MetricDefinition['unit']) =>
  <const Labels extends readonly string[]>(
    labels: Labels,
    help: string,
    { unit = usualUnit, presence = 'always' }: Options = {},
  ) => ({ type, unit, labels, help, presence })

const gauge = definition('gauge', 'count')
const flag = definition('gauge', 'flag')
const counter = definition('counter', 'count')
const histogram = definition('histogram', 'seconds')

const seconds = { unit: 'seconds' } as const
const bytes = { unit: 'bytes' } as const
const durable = { presence: 'durable' } as const
const shared = { presence: 'shared' } as const
const external = { presence: 'external' } as const
const locations = { presence: 'locations' } as const
const perMonitor = { presence: 'perMonitor' } as const

export const metricRegistry = {
  pulseward_ready: flag([], 'Whether the service can do its work.'),
  pulseward_last_reload_successful: flag(
    [],
    'Whether the fleet files were taken into force when they were last read.',
  ),
  pulseward_last_reload_timestamp_seconds: gauge(
    [],
    'When the fleet files were last read, at the start or by a reload, with or without success.',
    { unit: 'time' },
  ),
  pulseward_stale: flag(['reason'], 'Whether data is not kept up to date: 1 for the reason why.'),
  pulseward_monitors: gauge([], 'Monitors in the fleet, disabled ones too.'),
  pulseward_incidents_open: gauge([], 'Open incidents.'),
  pulseward_monitors_without_audience: gauge(
    [],
    'Enabled monitors that tell nobody when they fail: their red has no destination.',
  ),
  pulseward_monitors_by_status: gauge(['status'], 'Monitors in each status.'),
  pulseward_monitors_by_pulse_type: gauge(['type'], 'Monitors of each kind of check.'),
  pulseward_monitors_by_code: gauge(['color'], 'Monitors with a pending notification.'),
  pulseward_probe_success: flag(
    ['monitor_id', 'name'],
    'Whether the last check of the monitor succeeded; absent while that is not known.',
    perMonitor,
  ),
  pulseward_probe_duration_seconds: gauge(
    ['monitor_id', 'name'],
    'How long the last check of the monitor took; absent while that is not known.',
    { ...perMonitor, ...seconds },
  ),
  pulseward_per_monitor_left_out: gauge(
    [],
    'Monitors that metrics.per_monitor selects beyond those that may have series of their own.',
    perMonitor,
  ),
  pulseward_checks_total: counter(['type', 'outcome'], 'Checks that ended.'),
  pulseward_check_duration_seconds: histogram(['type'], 'How long checks took.'),
  pulseward_schedule_delay_seconds: histogram([], 'How long after its time a check was started.'),
  pulseward_notifications_total: counter(['driver', 'outcome'], 'Attempts to notify that ended.'),
  pulseward_recoveries_total: counter(['driver', 'outcome'], 'Recovery actions that ended.'),
  pulseward_destination_state: flag(
    ['endpoint', 'state'],
    'How each destination is: 1 for the state that it is in.',
  ),
  pulseward_queue_depth: gauge(['queue'], 'Entries that wait.'),
  pulseward_queue_capacity: gauge(['queue'], 'Entries that the queue can hold.'),
  pulseward_queue_oldest_seconds: gauge(
    ['queue'],
    'How long the first job in the queue has waited.',
    seconds,
  ),
  pulseward_queue_enqueued_total: counter(['queue'], 'Entries that came.'),
  pulseward_queue_dequeued_total: counter(['queue'], 'Entries that were taken.'),
  pulseward_queue_dropped_total: counter(['queue'], 'Entries that found no room.'),
  pulseward_pool_workers: gauge(['pool'], 'Jobs that may run at once.'),
  pulseward_pool_busy: gauge(['pool'], 'Jobs that run.'),
  pulseward_pool_waiting: gauge(['pool'], 'Jobs that wait for a worker.'),
  pulseward_pool_recommended: gauge(['pool'], 'Workers that the sizing model recommends.'),
  pulseward_pool_service_time_seconds: gauge(['pool'], 'How long a job takes on average.', seconds),
  pulseward_pool_completed_total: counter(['pool'], 'Jobs that ended.'),
  pulseward_slo_queue_attainment_ratio: gauge(
    ['type'],
    'The share of checks of the last five minutes that started in time.',
    { ...durable, unit: 'ratio' },
  ),
  pulseward_slo_result_attainment_ratio: gauge(
    ['type'],
    'The share of checks of the last five minutes that had their result in time.',
    { ...durable, unit: 'ratio' },
  ),
  pulseward_slo_missed: gauge(['type'], 'Checks of the last five minutes that were not started.', durable),
  pulseward_slo_coverage_complete: flag([], 'Whether the last five minutes have no gap.', durable),
  pulseward_store_ready: flag([], 'Whether decisions can be stored.', durable),
  pulseward_store_committed_position: gauge([], 'How far the log has come.', durable),
  pulseward_store_commit_p99_seconds: gauge([], 'How long recent commits took, 99th percentile.', {
    ...durable,
    ...seconds,
  }),
  pulseward_store_bytes: gauge([], 'What the store takes on disk.', { ...durable, ...bytes }),
  pulseward_store_revisions: gauge(
    [],
    'Earlier configuration that is kept for explanations: a row per change, for 30 days, and one per route, group, policy and destination.',
    durable,
  ),
  pulseward_store_unknown_actions: gauge([], 'Actions whose outcome is unknown.', durable),
  pulseward_process_role: flag(['role'], 'What this process is: active or standby.', shared),
  pulseward_standby_processes: gauge(
    [],
    'Processes that stand by for this one; absent from one that stands by itself.',
    shared,
  ),
  pulseward_standby_files_differ: gauge(
    [],
    'Processes that stand by with other fleet files, and so do not take over: seen by the active one, or by one of itself.',
    shared,
  ),
  pulseward_standby_batch_age_seconds: gauge(
    [],
    'How long ago a process that stands by saw a new commit of the active one.',
    { ...shared, ...seconds },
  ),
  pulseward_store_takeovers_total: counter(
    [],
    'How often a process took over from one that had not ended by itself; all processes count the same.',
    shared,
  ),
  pulseward_problems: gauge(['kind'], 'Things that only an operator can mend (edition next).', {
    presence: 'next',
  }),
  pulseward_trials_total: counter(
    ['kind', 'outcome'],
    'Checks and notifications that people tried without saving them; they count nowhere else.',
    { presence: 'next' },
  ),
  pulseward_push_signals_total: counter(
    ['kind', 'outcome'],
    'Signals of jobs that report by themselves: stored, ignored (disabled or snoozed), limited (too many for one key), not_stored (to be sent again).',
  ),
  pulseward_push_invalid_signals_total: counter(
    [],
    'Signals with a right key and a wrong method, run id or ending of their address; nothing was recorded.',
  ),
  pulseward_push_unknown_keys_total: counter(
    ['answer'],
    'Signals with a key of no monitor: answered not_found, or limited (too many of one address).',
  ),
  pulseward_external_workers: gauge([], 'External workers that called in the last minute.', external),
  pulseward_external_polls_waiting: gauge([], 'Polls of external workers that wait for work.', external),
  pulseward_external_jobs_waiting: gauge([], 'External jobs that no worker has started.', external),
  pulseward_external_jobs_running: gauge([], 'External jobs that were granted and have not ended.', external),
  pulseward_external_jobs_granted_total: counter(
    [],
    'External jobs that were granted to a worker.',
    external,
  ),
  pulseward_external_results_total: counter(
    ['kind', 'status'],
    'Results that external workers reported in time.',
    external,
  ),
  pulseward_external_offers_not_started_total: counter(
    [],
    'Offers whose worker did not start the job before they passed.',
    external,
  ),
  pulseward_external_jobs_not_started_total: counter(
    [],
    'External jobs that no worker started in time.',
    external,
  ),
  pulseward_external_jobs_without_report_total: counter(
    [],
    'External jobs whose worker did not report by the deadline.',
    external,
  ),
  pulseward_location_probes: gauge(['location'], 'Probes that are connected.', locations),
  pulseward_location_checks_in_flight: gauge(
    ['location'],
    'Checks that probes were asked for and that have not ended.',
    locations,
  ),
  pulseward_location_checks_total: counter(
    ['location', 'outcome'],
    'Checks at other locations by how they ended; no_data says nothing about the target.',
    locations,
  ),
  pulseward_location_latency_seconds_total: counter(
    ['location'],
    'How long the successful checks of a location took, together; divided by their number, the mean.',
    { ...locations, ...seconds },
  ),
  pulseward_probe_refusals_total: counter(
    ['reason'],
    'Probes that were turned away, or whose connection the service ended: wrong token, location, version or protocol, too many (full), silent.',
    { presence: 'next' },
  ),
  pulseward_build_info: flag(['version', 'edition', 'node'], 'What runs.'),
  pulseward_event_loop_lag_p99_seconds: gauge(
    [],
    'How late the controller gets its turn, 99th percentile.',
    seconds,
  ),
  process_cpu_seconds_total: counter([], 'Processor time of the process.', seconds),
  process_resident_memory_bytes: gauge([], 'Resident memory of the process.', bytes),
  process_heap_bytes: gauge([], 'JavaScript heap of the controller in use.', bytes),
  process_open_fds: gauge([], 'Files and sockets that are open.'),
  process_max_fds: gauge([], 'Files and sockets that may be open at once.'),
  process_start_time_seconds: gauge([], 'When the process started.', { unit: 'time' }),
} satisfies Record<string, MetricDefinition>

export type MetricName = keyof typeof metricRegistry
