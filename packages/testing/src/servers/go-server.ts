// servers/go-server.ts: a small server in Go, whose TLS is not OpenSSL. It is built where it is needed; a machine without Go
// skips its tests.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { certificates } from '../targets/certificates.ts'
import { accepts, findProgram, ServerProcess } from './server-process.ts'
import type { SessionServer } from './session-server.ts'

const source = join(import.meta.dirname, 'go-tls-server.go')

export const goSessions: SessionServer = {
  kind: {
    name: 'Go net/http',
    debianPackages: ['golang-go'],
    isOptional: true,
    find: () => findProgram('go') ?? findProgram('/usr/local/go/bin/go'),
  },
  offers: ['tickets', 'none'],
  async start(go, { port, version, sessions }) {
    const { certificate, key } = certificates.good
    const folder = temporaryFolder({ 'certificate.pem': certificate, 'key.pem': key })
    const program = folder.path('server')
    await promisify(execFile)(go, ['build', '-o', program, source], { cwd: folder.root })
    return await ServerProcess.start({
      program,
      folder,
      words: [String(port), version, sessions, folder.path('certificate.pem'), folder.path('key.pem')],
      isReady: () => accepts(port),
    })
  },
}
