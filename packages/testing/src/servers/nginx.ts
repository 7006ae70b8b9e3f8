// servers/nginx.ts: nginx in a single process: with a TLS server for each kind of certificate, or as the
// reverse proxy that a document describes.
import { type TemporaryFolder, temporaryFolder } from '../files/temporary-folder.ts'
import { certificates, type Identity } from '../targets/certificates.ts'
import { adapt, type RunningProxy } from './running-proxy.ts'
import { accepts, findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'
import type { SessionServer, SessionSetup } from './session-server.ts'

export const nginx: ServerKind = {
  name: 'nginx',
  debianPackages: ['nginx-light'],
  find: () => findProgram('nginx'),
}

const { good, expired, other, selfSigned, chain } = certificates

const identities = {
  good,
  expired,
  misnamed: other,
  selfSigned,
  wholeChain: { certificate: chain.leaf.certificate + chain.intermediate, key: chain.leaf.key },
  incompleteChain: chain.leaf,
  /** Requires a client certificate. */
  wantsClient: good,
} satisfies Record<string, Identity>

export interface RunningNginx extends AsyncDisposable {
  /** A port for each kind of certificate. */
  readonly ports: Readonly<Record<keyof typeof identities, number>>
}

export async function startNginx(program: string): Promise<RunningNginx> {
  const folder = temporaryFolder({ 'authority.pem': certificates.authority })
  const names = Object.keys(identities) as (keyof typeof identities)[]
  const numbers = await Promise.all(names.map(() => freePort()))
  const ports = Object.fromEntries(names.map((name, index) => [name, numbers[index]!]))
  const servers = names.map((name) => serverBlock(folder, name, ports[name]!)).join('\n')
  const server = await runNginx(program, folder, servers, numbers)
  return {
    ports: ports as RunningNginx['ports'],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** As the document says, except for its port, its certificate and the address of the service (host:port). */
export async function startNginxProxy(
  program: string,
  documented: string,
  service: string,
): Promise<RunningProxy> {
  const folder = temporaryFolder()
  const port = await freePort()
  const configuration = adapt(documented, {
    'server 127.0.0.1:8060;': `server ${service};`,
    'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
    '/etc/ssl/status.example.pem': folder.write('certificate.pem', good.certificate),
    '/etc/ssl/status.example.key': folder.write('key.pem', good.key),
  })
  const server = await runNginx(program, folder, configuration, [port])
  return {
    port,
    authority: certificates.authority,
    certifiedName: 'localhost',
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export const nginxSessions: SessionServer = {
  kind: nginx,
  offers: ['tickets', 'cache', 'none'],
  start(program, setup) {
    const folder = temporaryFolder()
    return runNginx(program, folder, sessionBlock(folder, setup), [setup.port])
  },
}

function sessionBlock(folder: TemporaryFolder, { port, version, sessions }: SessionSetup): string {
  return `  map $ssl_session_reused $handshake { default full; r resumed; }
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder.write('certificate.pem', good.certificate)};
    ssl_certificate_key ${folder.write('key.pem', good.key)};
    ssl_protocols ${version};
    ssl_session_tickets ${sessions === 'tickets' ? 'on' : 'off'};
    ssl_session_cache ${sessions === 'cache' ? 'shared:sessions:1m' : 'off'};
    location / { return 200 "$handshake"; }
  }`
}

function runNginx(
  program: string,
  folder: TemporaryFolder,
  servers: string,
  ports: readonly number[],
): Promise<ServerProcess> {
  // Otherwise the worker of an nginx that root starts runs as a user who cannot write to this folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const configuration = folder.write(
    'nginx.conf',
    `daemon off;
${user}
worker_processes 1;
pid ${folder.path('nginx.pid')};
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder.path('body')};
  proxy_temp_path ${folder.path('proxy')};
  fastcgi_temp_path ${folder.path('fastcgi')};
  uwsgi_temp_path ${folder.path('uwsgi')};
  scgi_temp_path ${folder.path('scgi')};
${servers}
}
`,
  )
  return ServerProcess.start({
    program,
    folder,
    words: ['-e', 'stderr', '-p', folder.root, '-c', configuration],
    isReady: async () => (await Promise.all(ports.map(accepts))).every(Boolean),
  })
}

function serverBlock(folder: TemporaryFolder, name: keyof typeof identities, port: number): string {
  const { certificate, key } = identities[name]
  const client =
    name === 'wantsClient'
      ? `ssl_client_certificate ${folder.path('authority.pem')}; ssl_verify_client on;`
      : ''
  return `  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder.write(`${name}.pem`, certificate)};
    ssl_certificate_key ${folder.write(`${name}.key`, key)};
    ${client}
    location / { return 200 "ok"; }
  }`
}
