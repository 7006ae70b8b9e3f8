// scripts/generate/messages/areas.ts: which part of the program says a message, and what to do about messages
// of each area in general. A source file belongs to the area with the longest matching path; a file without
// an area fails the generator.
export interface Area {
  /** The name of its page. */
  readonly name: string
  readonly title: string
  /** What its messages are about, and what to do first. */
  readonly text: string
  readonly paths: readonly string[]
}

export const areas: readonly Area[] = [
  {
    name: 'command',
    title: 'Messages of the command',
    text: `\`pulseward\` says on stderr, in one sentence, why it cannot do what was asked. Exit code 2 means that the words of
the command or a file that they name are wrong: read the sentence, then \`pulseward COMMAND --help\`. Exit code 3 means that
the service could not be reached or refused: try \`pulseward health\`, then look at the address (\`--server\`), the token
(\`--token-file\`) and the context (\`pulseward config get-contexts\`). Sentences about resources name file, line and field.`,
    paths: ['packages/cli'],
  },
  {
    name: 'importing',
    title: 'Messages of the import',
    text: `\`pulseward import\` notes everything that it does not carry over as it was, with the name, the field and the reason.
A note is not a failure: the file that was printed is valid. Set up by hand what a note says is left behind. See
[Moving in](../../moving-in.md).`,
    paths: ['packages/cli/src/import'],
  },
  {
    name: 'fleet-files',
    title: 'Messages about fleet files',
    text: `Each stands behind \`FILE:LINE: PATH:\`. Nothing is started or changed while one is left. \`pulseward validate\` shows
all of them at once; [the fleet file](../fleet-file.md) lists every key, and the page of each
[check](../checks/index.md), [recovery](../recoveries/index.md) and [notification](../notifications/index.md) its options.`,
    paths: ['packages/server/src/config', 'packages/server/src/fleet', 'packages/server/src/platform'],
  },
  {
    name: 'starting',
    title: 'Messages of the start and of settings',
    text: `The service does not start with a setting that it cannot follow, and ends with exit code 2. \`pulseward settings\` shows
every value in force and where it comes from; [settings](../settings.md) lists what is allowed. Log lines about a running
service are explained under [Operate](../../operating.md).`,
    paths: [
      'packages/server/src/config/settings',
      'packages/server/src/app.ts',
      'packages/server/src/wiring',
      'packages/server/src/main.ts',
      'packages/server/src/index.ts',
      'packages/server/src/editions',
      'packages/server/src/engine',
      'packages/server/src/platform/service-manager.ts',
      'packages/server/src/telemetry',
      'packages/server/src/self-watch',
      'packages/cli/bin',
    ],
  },
  {
    name: 'access',
    title: 'Messages about tokens, principals and keys',
    text: `Files that hold secrets must belong to the user of the service and be closed to others: \`chmod 600 FILE\`. A token
that is not accepted was revoked, has expired, or is of another service: make one with \`pulseward token create\`. What to do
when the key file of credentials is missing or wrong: [Credentials and their key](../../managing.md#credentials-and-their-key).`,
    paths: ['packages/server/src/access', 'packages/server/src/vault', 'packages/server/src/api/session'],
  },
  {
    name: 'store',
    title: 'Messages about the store',
    text: `While the store cannot be written, no checks run and nothing is sent. Look at the disk below the data directory first:
is it full, read-only or failing? Two services cannot share a data directory. \`pulseward verify\` says whether a store or a
backup is whole; [Back up and restore](../../backing-up.md) says how to go back to a copy.`,
    paths: [
      'packages/server/src/store',
      'packages/server/src/persistence',
      'packages/server/src/trends',
      'packages/server/src/slo',
    ],
  },
  {
    name: 'checks',
    title: 'Reasons of failed checks',
    text: `A check says what it saw of the target, and the reason is shown with the monitor, its incident and its events. Try
one by hand with \`pulseward check ID --config FILE\`, from the machine of the service. A reason that begins with \`own fault\`
is about our side of the network and counts against no target. The page of each [check](../checks/index.md) lists what it
says about each trouble.`,
    paths: [
      'packages/server/src/checks',
      'packages/server/src/checking',
      'packages/server/src/platform/network',
      'packages/server/src/platform/tls',
    ],
  },
  {
    name: 'recoveries',
    title: 'Reasons of recoveries',
    text: `A recovery that was rejected did nothing: mend what the reason names. One with an unknown outcome may have run and
is never repeated by itself: look at the target, then [say what you found](../../recovering.md#unknown-outcomes).`,
    paths: ['packages/server/src/recovery'],
  },
  {
    name: 'notifications',
    title: 'Reasons of notifications',
    text: `They stand in the log, in \`pulseward get queues\` and beside the action on the dashboard. Try the destination with
\`pulseward test-notification ENDPOINT\`. What is sent again by itself and what is not:
[When no destination takes notifications](../../operating.md#when-no-destination-takes-notifications).`,
    paths: ['packages/server/src/notify', 'packages/server/src/acting'],
  },
  {
    name: 'states',
    title: 'Reasons of states',
    text: `Why a monitor, an incident, an action or the whole service is as it is shown: held back, suppressed, queued,
unavailable or stale. Most of them end by themselves; [Operate](../../operating.md) says which do not.`,
    paths: [
      'packages/server/src/deciding',
      'packages/server/src/explaining',
      'packages/server/src/projection',
      'packages/server/src/pushing',
    ],
  },
  {
    name: 'api',
    title: 'Messages of the API',
    text: `They are the \`detail\` of a problem document, or the \`message\` of one of its \`errors\`. The \`code\` is stable, and
[problem codes](codes.md) says what to do about each; \`request_id\` (v1) or \`requestID\` (v2) finds the request in the log.`,
    paths: [
      'packages/server/src/api',
      'packages/server/src/managing',
      'packages/server/src/controls',
      'packages/server/src/bulk',
      'packages/server/src/kinds',
      'packages/server/src/requests',
      'packages/server/src/trials',
      'packages/server/src/platform/json-schema',
      'packages/contract',
    ],
  },
  {
    name: 'status-pages',
    title: 'Messages of status pages',
    text: `What a status page says in place of a page, and what the log says about pages. See
[Status pages](../../status-pages.md).`,
    paths: ['packages/server/src/status-pages', 'packages/server/src/api/status'],
  },
  {
    name: 'probes',
    title: 'Messages about probes elsewhere',
    text: `Said by the service when it turns a probe away, by the probe in its log, and as the reason of checks that could not be made.
A monitor whose probe is away is unknown until one is connected again. See [Probes elsewhere](../../probes.md).`,
    paths: [
      'packages/server/src/locations',
      'packages/server/src/remote-probe',
      'packages/server/src/api/probes',
    ],
  },
  {
    name: 'workers',
    title: 'Messages about external workers',
    text: `Said by the service to workers, and by the worker library in its own log. A worker that gets no work has the wrong
token, no job type granted (\`pulseward token create --job-type\`), or no job to do. See [External workers](../../workers.md).`,
    paths: ['packages/server/src/external-workers', 'packages/worker'],
  },
  {
    name: 'dashboard',
    title: 'Sentences of the dashboard',
    text: `What the page says about the fleet, the service and what you asked of it. Reasons that it shows beside them come from
the service, and are on the other pages. A page that cannot read says so and tries again by itself; what it showed last stays,
marked with its time.`,
    paths: ['packages/dashboard', 'packages/contract/src/v1/words'],
  },
  {
    name: 'installing',
    title: 'Messages of the installation',
    text: `Said by \`npm start\`, \`npm test\` and the other scripts of a checkout before anything of it runs.`,
    paths: ['scripts'],
  },
  {
    name: 'client',
    title: 'Messages of the client library',
    text: `Each error of \`@pulseward/client\` has a category that says what a caller can do about it. An ambiguous mutation may
have been applied: read the resource before you write again.`,
    paths: ['packages/client'],
  },
]

/** Null if no area contains the file. */
export function areaOf(file: string): Area | null {
  const depth = (path: string) => (file === path || file.startsWith(`${path}/`) ? path.length : 0)
  const [best] = areas
    .map((area) => ({ area, depth: Math.max(...area.paths.map(depth)) }))
    .sort((one, other) => other.depth - one.depth)
  return best !== undefined && best.depth > 0 ? best.area : null
}
