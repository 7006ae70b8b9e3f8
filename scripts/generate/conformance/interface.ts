// conformance/interface.ts: what the interface promises for v1, in its order.
import { held, type Section } from './requirement.ts'

export const interfaceSections: readonly Section[] = [
  {
    title: 'What the service does',
    requirements: [
      held(
        'v1 only inspects; every route is a GET, and mutations are rejected',
        'contract/v1/operations: stand at paths of their own and only read',
        'server/editions/v1-answers: refuses to change anything by %s',
      ),
      held(
        'Listens on loopback, port 8060; beyond loopback it needs a token',
        'cli/refusals: pulseward serve on a port that is taken',
        'server/app: an address beyond this machine without a token',
      ),
      held(
        'The views Overview, Monitors, Alerts, System, Settings and monitor detail',
        'page/views: shows %s without a fault',
        'page/views: shows a monitor without a fault',
      ),
      held(
        'Notifications that no destination takes are shown, and why',
        'page/unheard: is said over every view once a webhook has answered 503 three times, with a link to the reason',
        'page/unheard: is told with its reason on the overview, on the alerts and on the page of the monitor',
        'page/unheard: is what holds a failing monitor back, until nothing does',
        'cli/client/subjects/reasons-shown: get state shows why an action ended so and what a queued one waits for',
      ),
      held(
        'Appearance: System, Light and Dark, kept over reloads, with a toggle',
        'page/appearance: follows the operating system while it says System',
        'page/appearance: that was chosen is seen at once, and survives a reload and the operating system',
        'page/appearance: is switched by the bar',
      ),
      held(
        'The healthy-sample percentage of candidate comes from committed counters',
        'server/projection/overview: adds up the samples of the whole fleet',
        'server/timeline-actions: goes on with the incident, its number and its counters, and says nothing twice',
      ),
      held(
        'That of main comes from snapshots of this run',
        'server/projection/snapshot: counts one sample for each monitor whose last check is another than in the snapshot before',
      ),
      held(
        'Candidate reads from an incremental index',
        'server/projection/overview: follows every change at once',
      ),
      held(
        'Main reads from snapshots, every five seconds unless configured',
        'server/projection/snapshot: are taken at once and then at the interval, until the end',
      ),
      held(
        'Histories of pools and queues are separate, bounded and in memory',
        'server/telemetry/sample-history: holds 900 samples and no more',
      ),
      held(
        'Neither edition serves any v2 route',
        'server/editions/v1-answers: serves nothing of v2, by any method',
      ),
      held(
        'Unavailable data is unavailable, never an empty healthy fleet',
        'server/editions/readiness: is missing without a snapshot, and so is all data: never zeros, never an empty list',
        'server/editions/readiness: candidate answers 503, never zeros',
      ),
    ],
  },
  {
    title: 'Readiness',
    requirements: [
      held(
        'Candidate: admission initialized, progress within 30 seconds, storage available',
        'server/editions/readiness: is missing before admission is initialized',
        'server/editions/readiness: ends when the controller makes no progress for more than 30 seconds, and comes back with it',
        'server/editions/readiness: ends when decisions cannot be stored',
      ),
      held(
        'Candidate: an explicitly empty configuration can be ready',
        'server/editions/readiness: is given to a fleet that is meant to be empty',
      ),
      held(
        'Candidate: a stale projection or an unhealthy target does not fail it',
        'server/editions/readiness: ends with the thread that searches, comes back with its successor, and never ends readiness',
        'server/editions/readiness: stays while all targets are down',
      ),
      held(
        'Main: a nonempty snapshot of at most 30 seconds, whatever the health of monitors',
        'server/editions/readiness: is given with a nonempty snapshot, whatever the state of the targets',
        'server/editions/readiness: is missing with an empty snapshot',
        'server/editions/readiness: ends when the snapshot is older than 30 seconds',
      ),
      held(
        'Liveness reflects the process alone',
        'api/limits: are told to come back, while health and readiness still answer',
      ),
    ],
  },
  {
    title: 'Routes',
    requirements: [
      held(
        'The sixteen routes, and in main all but state, history and SLO',
        'contract/v1/operations: are the sixteen of the contract, and additions of ours',
        'contract/v1/operations: of the contract are all in candidate and next; main has no state, no history and no SLO view',
        'server/app: answers on every route of its document and 404 on all others',
      ),
      held('Each answers with its resource', 'server/editions/v1-answers: answers %s as the contract says'),
      held(
        'The numeric id is the path of a monitor; candidate adds monitor_id',
        'server/editions/v1-answers: shows every monitor as the contract says, alone and in lists',
        'contract/v1/schemas: show the stable identity everywhere but in main',
      ),
      held(
        'Lists: page from 1, size 50 and at most 500',
        'server/editions/v1-answers: lists every monitor once over its pages, in order of names',
        'server/editions/v1-answers: caps the size of a page and says so, however long the number is',
      ),
      held(
        'Filters: status, type, code, and a part of the name in any case',
        'server/editions/v1-answers: finds monitors by filters in any case (%s)',
        'server/editions/v1-answers: has an empty page for what no monitor has (%s)',
      ),
      held(
        'History: limit 100 and at most 500, monitor_id, cursor',
        'server/editions/v1-answers: refuses a limit of history above 500',
        'server/editions/v1-answers: knows no state and no history of a monitor that never was',
      ),
      held(
        'A cursor keeps the upper committed position of the first page; the order is stable',
        'api/routes/history: shows each event up to the first page once, in order, and none that came later',
      ),
      held(
        'State shows storage, process and usage, and with monitor_id revision and actions, redacted',
        'server/editions/v1-answers: shows actions of a monitor, of every end',
        'server/editions/v1-answers: never shows a secret of a target or a recovery',
      ),
      held(
        'SLO: percentiles over five minutes, exact attainment, timeouts, missed, pending, overdue, recovery coverage',
        'server/slo/slo-window.property: agrees with a list of all checks at every moment, over clock jumps, gaps and restarts',
        'server/slo/slo-window: counts what became of an episode with the time it reached the threshold',
      ),
      held(
        'Metrics are a Prometheus text exposition',
        'server/projection/metrics.servers: finds nothing to complain about in metrics of %s',
      ),
      held(
        'The reads of the client match the routes',
        'client/v1: are these sixteen, and each is a GET of its path',
      ),
    ],
  },
  {
    title: 'Authentication',
    requirements: [
      held('Bearer with the token', 'api/server: the token opens, as Bearer and as password of svc'),
      held(
        'Basic with the user svc and the token as password; no other user',
        'api/authentication: refuses %s',
      ),
      held(
        'Health, readiness, metrics and the durable routes are protected too',
        'server/app: lets nobody in without the token, on any path, and shows it to nobody',
      ),
      held('The command reads the token from a file', 'cli/serve: asks for the token of its file'),
    ],
  },
  {
    title: 'Events, errors and limits',
    requirements: [
      held(
        'Incident, recovery and notification events are kept, raw checks are not',
        'server/editions/v1-answers: keeps what happened to monitors and no check of theirs',
      ),
      held('They are kept for 30 days', 'api/routes/history: says when what comes next has been forgotten'),
      held(
        '503 when history is unavailable',
        'server/app: answers 503 for history that cannot be read, never an empty list',
        'api/routes/history: is 503 when it cannot be read, never an empty list',
      ),
      held(
        'Main above the index cap: lists are 503, the overview stays',
        'server/editions/readiness: takes the lists away, and leaves the overview and readiness',
      ),
    ],
  },
]
