// servers/rabbitmq-server.ts: a separate RabbitMQ node with its own port mapper (epmd), which it would
// otherwise leave running on the machine. Its user, virtual host and queue come from a file of definitions.
import { createHash, randomBytes } from 'node:crypto'
import { type TemporaryFolder, temporaryFolder } from '../files/temporary-folder.ts'
import { certificates } from '../targets/certificates.ts'
import { accepts, findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const rabbitmqServer: ServerKind = {
  name: 'RabbitMQ',
  debianPackages: ['rabbitmq-server'],
  // The script on the path changes the user first; this is the program that it runs.
  find: () => (findProgram('epmd') === null ? null : findProgram('/usr/lib/rabbitmq/bin/rabbitmq-server')),
}

export interface RunningRabbitmq extends AsyncDisposable {
  readonly port: number
  readonly securePort: number
  readonly user: string
  readonly password: string
  /** The virtual host in which the user may do everything. */
  readonly vhost: string
  /** Empty, and without consumers. */
  readonly queue: string
}

export async function startRabbitmq(program: string): Promise<RunningRabbitmq> {
  const [port, securePort, mapperPort] = [await freePort(), await freePort(), await freePort()]
  const login = { user: 'ward', password: 'a password of rabbitmq', vhost: 'shop', queue: 'orders' }
  await using owned = new AsyncDisposableStack()
  const mapper = await ServerProcess.start({
    program: findProgram('epmd')!,
    words: ['-port', String(mapperPort), '-address', '127.0.0.1'],
    folder: temporaryFolder(),
    isReady: () => accepts(mapperPort),
  })
  owned.use(mapper)
  const folder = temporaryFolder()
  const server = await ServerProcess.start({
    program,
    words: [],
    folder,
    environment: {
      HOME: folder.root,
      ERL_EPMD_PORT: String(mapperPort),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      RABBITMQ_NODENAME: `pulseward-${port}@localhost`,
      RABBITMQ_MNESIA_BASE: folder.path('data'),
      RABBITMQ_LOG_BASE: folder.path('logs'),
      RABBITMQ_CONF_ENV_FILE: folder.write('environment.conf', ''),
      RABBITMQ_CONFIG_FILE: writeSettings(folder, port, securePort, login),
      RABBITMQ_ENABLED_PLUGINS_FILE: folder.write('plugins', '[].\n'),
      RABBITMQ_DIST_PORT: String(await freePort()),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1} +S 1:1',
    },
    isReady: (output) => output.includes('completed with'),
  })
  owned.use(server)
  const opened = owned.move()
  return { port, securePort, ...login, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function writeSettings(
  folder: TemporaryFolder,
  port: number,
  securePort: number,
  { user, password, vhost, queue }: { user: string; password: string; vhost: string; queue: string },
): string {
  const definitions = {
    users: [
      {
        name: user,
        password_hash: hashOf(password),
        hashing_algorithm: 'rabbit_password_hashing_sha256',
        tags: '',
      },
    ],
    vhosts: [{ name: vhost }, { name: 'closed' }],
    permissions: [{ user, vhost, configure: '.*', write: '.*', read: '.*' }],
    queues: [{ name: queue, vhost, durable: true, auto_delete: false, arguments: {} }],
  }
  const { certificate, key } = certificates.good
  const settings = [
    `listeners.tcp.local = 127.0.0.1:${port}`,
    `listeners.ssl.local = 127.0.0.1:${securePort}`,
    `ssl_options.certfile = ${folder.write('certificate.pem', certificate)}`,
    `ssl_options.keyfile = ${folder.write('key.pem', key)}`,
    `load_definitions = ${folder.write('definitions.json', JSON.stringify(definitions))}`,
    'log.console = true',
    'log.console.level = error',
    'log.file = false',
    'disk_free_limit.absolute = 1MB',
  ]
  return folder.write('rabbitmq.conf', `${settings.join('\n')}\n`)
}

/** A password hash as RabbitMQ stores it: a salt, then the hash of salt and password. */
function hashOf(password: string): string {
  const salt = randomBytes(4)
  const hash = createHash('sha256').update(salt).update(password).digest()
  return Buffer.concat([salt, hash]).toString('base64')
}
