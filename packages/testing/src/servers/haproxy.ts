// servers/haproxy.ts: HAProxy as a server that terminates TLS and answers by itself.
import { temporaryFolder } from '../files/temporary-folder.ts'
import { certificates } from '../targets/certificates.ts'
import { accepts, findProgram, type ServerKind, ServerProcess } from './server-process.ts'
import type { SessionServer, SessionSetup } from './session-server.ts'

export const haproxy: ServerKind = {
  name: 'HAProxy',
  debianPackages: ['haproxy'],
  find: () => findProgram('haproxy'),
}

export const haproxySessions: SessionServer = {
  kind: haproxy,
  offers: ['tickets', 'cache', 'none'],
  start(program, setup) {
    const { certificate, key } = certificates.good
    const folder = temporaryFolder({ 'identity.pem': certificate + key })
    return ServerProcess.start({
      program,
      folder,
      words: ['-db', '-f', folder.write('haproxy.cfg', configuration(setup, folder.path('identity.pem')))],
      isReady: () => accepts(setup.port),
    })
  },
}

function configuration({ port, version, sessions }: SessionSetup, identity: string): string {
  const tickets = sessions === 'tickets' ? '' : ' no-tls-tickets'
  return `global
  ${sessions === 'none' ? 'tune.ssl.cachesize 0' : ''}
defaults
  mode http
  timeout client 30s
  timeout server 30s
  timeout connect 30s
frontend tls
  bind 127.0.0.1:${port} ssl crt ${identity} ssl-min-ver ${version} ssl-max-ver ${version}${tickets}
  http-request return status 200 content-type text/plain lf-string "%[ssl_fc_is_resumed,iif(resumed,full)]"
`
}
