// servers/caddy.ts: Caddy as the reverse proxy that a document describes, with a certificate that it makes itself.
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { adapt, type RunningProxy } from './running-proxy.ts'
import { findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const caddy: ServerKind = {
  name: 'Caddy',
  debianPackages: ['caddy'],
  find: () => findProgram('caddy'),
}

/** No request to a public certificate authority, and its own authority is not added to the machine's trust store. */
const alone = '{\n  admin off\n  skip_install_trust\n  auto_https disable_redirects\n}\n'

/** As the document says, except for its port, its certificate and the address of the service (host:port). */
export async function startCaddyProxy(
  program: string,
  documented: string,
  service: string,
): Promise<RunningProxy> {
  const port = await freePort()
  const configuration = adapt(documented, {
    'status.example {': `https://status.example:${port} {\n  bind 127.0.0.1\n  tls internal`,
    '127.0.0.1:8060': service,
  })
  const folder = temporaryFolder({ Caddyfile: alone + configuration })
  const server = await ServerProcess.start({
    program,
    folder,
    words: ['run', '--config', folder.path('Caddyfile'), '--adapter', 'caddyfile'],
    environment: { XDG_DATA_HOME: folder.path('data'), XDG_CONFIG_HOME: folder.path('config') },
    isReady: () => hasCertificate(port),
  })
  return {
    port,
    authority: readFileSync(folder.path('data/caddy/pki/authorities/local/root.crt'), 'utf8'),
    certifiedName: 'status.example',
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Caddy listens before it has made its certificate. */
function hasCertificate(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: 'status.example',
      rejectUnauthorized: false,
    })
    socket.on('secureConnect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('secureConnect', () => socket.destroy())
  })
}
