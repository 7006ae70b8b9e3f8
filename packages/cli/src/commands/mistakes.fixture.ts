// commands/mistakes.fixture.ts: forty mistakes that people make, each as they would make it. The transcript of what is
// said to them is golden/mistakes.md.

/** A command in a folder with one file. */
export interface MistakeInFile {
  readonly title: string
  readonly file: string
  readonly text: string
}

/** A fleet of one monitor, whose lines follow. */
function fleet(lines: string, head = ''): string {
  return `${head}monitors:\n  - name: Shop\n${lines.replace(/^/gm, '    ')}\n`
}

function tcp(config: string, more = ''): string {
  return `check:\n  type: tcp\n${more.replace(/^(?=.)/gm, '  ')}  config: ${config}`
}

const right = tcp('{ host: db, port: 5432 }')

function monitor(spec: string, id = 'shop'): string {
  return `apiVersion: pulseward/v2\nkind: Monitor\nmetadata: { id: ${id} }\nspec:\n${spec.replace(/^/gm, '  ')}\n`
}

const check =
  'check:\n  driver: { type: tcp, config: { host: db, port: 5432 } }\n  interval: 30s\n  timeout: 5s'

/** What `pulseward validate` is given. */
export const inFleetFiles: readonly MistakeInFile[] = [
  ['A host with its port', fleet(tcp('{ host: "db:5432" }'))],
  ['A duration without its unit', fleet(tcp('{ host: db, port: 5432 }', 'interval: 30\ntimeout: "5"\n'))],
  ['An interval that is too short', fleet(tcp('{ host: db, port: 5432 }', 'interval: 500ms\n'))],
  [
    'A timeout longer than the interval',
    fleet(tcp('{ host: db, port: 5432 }', 'interval: 10s\ntimeout: 30s\n')),
  ],
  ['A misspelt key', fleet(right.replace('  type: tcp', '  type: tcp\n  intervall: 30s'))],
  ['A misspelt driver', fleet('check: { type: htp, config: { url: "https://shop.example/" } }')],
  ['A key that is missing', fleet('check: { type: http }')],
  ['An address without its scheme', fleet('check: { type: http, config: { url: shop.example/health } }')],
  ['A port that is text', fleet(tcp('{ host: db, port: "5432" }'))],
  [
    'A certificate authority beside tls instead of inside',
    fleet('check: { type: http, config: { url: "https://shop.example/", ca: "…" } }'),
  ],
  [
    'A certificate authority inside tls instead of beside',
    fleet('check: { type: tls, config: { host: shop.example, tls: { ca: "…" } } }'),
  ],
  ['A line that is indented too little', fleet(right).replace('    check', '   check')],
  ['A line that is indented too much', fleet(right).replace('    check', '     check')],
  ['A tab', fleet(right).replace('    check', '\tcheck')],
  ['A colon in a name', fleet(right).replace('Shop', 'Shop: front')],
  ['A colon without its space', fleet(right).replace('name: Shop', 'name:Shop')],
  ['A bracket that is not closed', fleet(right).replace('5432 }', '5432')],
  ['A key that stands twice', fleet(`${right}\n${right}`)],
  ['Two monitors of one name', `${fleet(right)}${fleet(right).replace('monitors:\n', '')}`],
  [
    'A misspelt endpoint',
    fleet(`${right}\nnotify: { red: { endpoints: [opz] } }`, 'endpoints: { ops: { type: log } }\n'),
  ],
  [
    'A group that does not exist, where there are none',
    fleet(`${right}\nnotify: { red: { groups: [ops] } }`),
  ],
  [
    'A misspelt dependency',
    `${fleet(`id: shop\n${right}`)}  - name: Basket\n    depends_on: [shpo]\n    ${right.replaceAll('\n', '\n    ')}\n`,
  ],
  ['A monitor that depends on itself', fleet(`id: shop\ndepends_on: [shop]\n${right}`)],
  [
    'A color that does not exist',
    fleet(`${right}\nnotify: { orange: { endpoints: [ops] } }`, 'endpoints: { ops: { type: log } }\n'),
  ],
  [
    'Windows of maintenance with a mistake each',
    fleet(
      `${right}\nmaintenance:\n  - { start: 2026-03-29 01:00, end: 2026-03-29T02:00:00Z }\n  - { cron: 0 25 * * *, duration: 1h }\n  - { cron: 0 3 * * 0 }\n  - { cron: 0 3 * * 0, duration: 1h, timezone: Berlin }`,
    ),
  ],
  [
    'A secret in the file',
    fleet('check: { type: http, config: { url: "https://shop.example/", auth: { bearer: hunter2 } } }'),
  ],
  [
    'A credential whose variable is not set',
    fleet(
      'check: { type: http, config: { url: "https://shop.example/", auth: { bearer: { credential: token } } } }',
      'credentials: { token: { env: SHOP_TOKEN } }\n',
    ),
  ],
  ['A resource of v2 instead of a fleet file', monitor(check)],
].map(([title = '', text = '']) => ({ title, file: 'fleet.yaml', text }))

/** What `pulseward apply -f` is given. The service has the endpoint `ops` and the monitor `edge`. */
export const inResources: readonly MistakeInFile[] = [
  ['A misspelt endpoint', monitor(`${check}\nnotifications:\n  red:\n    endpointRefs: [opz]`)],
  [
    'A misspelt dependency, and a group that does not exist',
    monitor(`dependsOn:\n  - edgee\n${check}\nnotifications: { red: { groupRefs: [all] } }`),
  ],
  ['A host with its port', monitor(check.replace('host: db, port: 5432', 'host: "db:5432"'))],
  ['A duration without its unit', monitor(check.replace('30s', '30'))],
  ['An interval that is too short', monitor(check.replace('30s', '500ms').replace('5s', '100ms'))],
  ['A misspelt driver', monitor(check.replace('tcp', 'tpc'))],
  ['A key of a fleet file', monitor(`${check}\n  unhealthy_threshold: 3`)],
  ['A kind that does not exist', monitor(check).replace('Monitor', 'Moniter')],
  [
    'A credential that does not exist',
    monitor(
      check
        .replace('tcp', 'http')
        .replace(
          'config: { host: db, port: 5432 }',
          'config: { url: "https://shop.example/" }, credentialRefs: { auth.bearer: shop-tokn }',
        ),
    ),
  ],
  ['A line that is indented too little', monitor(check).replace('    interval', '   interval')],
].map(([title = '', text = '']) => ({ title, file: 'shop.yaml', text }))

/** Command lines, to the same service. */
export const inCommands: readonly string[][] = [
  ['aply', '-f', 'shop.yaml'],
  ['apply', 'shop.yaml'],
  ['apply', '-f', 'none.yaml'],
  ['get', 'monitr'],
  ['get', 'monitor', 'egde'],
  ['snooze', 'edge', '--for', '30', '--reason', 'release'],
  ['patch', 'monitor', 'edge', '-p', '{"spec": {"enabeld": false}}'],
  ['explain', 'monitor.spec.chek'],
  ['drivers', 'htpp'],
]

/** What a form of the page sends when it is saved. */
export const inForms: readonly (readonly [title: string, spec: object])[] = [
  [
    'A blank host',
    { check: { driver: { type: 'tcp', config: { host: '', port: 80 } }, interval: '30s', timeout: '5s' } },
  ],
  [
    'A host with its port',
    {
      check: {
        driver: { type: 'tcp', config: { host: 'db:5432', port: 5432 } },
        interval: '30s',
        timeout: '5s',
      },
    },
  ],
  [
    'An interval without its unit',
    { check: { driver: { type: 'tcp', config: { host: 'db', port: 80 } }, interval: '30', timeout: '5s' } },
  ],
]
