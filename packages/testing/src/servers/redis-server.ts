// servers/redis-server.ts: Redis with a password, in plain text and over TLS, without persistence.

import { temporaryFolder } from '../files/temporary-folder.ts'
import { certificates } from '../targets/certificates.ts'
import { findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const redisServer: ServerKind = {
  name: 'Redis',
  debianPackages: ['redis-server'],
  find: () => findProgram('redis-server'),
}

export interface RunningRedis extends AsyncDisposable {
  readonly port: number
  readonly securePort: number
  readonly password: string
  /** May only ping. */
  readonly pingUser: string
}

export async function startRedis(program: string): Promise<RunningRedis> {
  const folder = temporaryFolder()
  const [port, securePort] = [await freePort(), await freePort()]
  const [password, pingUser] = ['a password of redis', 'pinger']
  const { certificate, key } = certificates.good
  const settings = [
    'bind 127.0.0.1',
    `port ${port}`,
    `tls-port ${securePort}`,
    `tls-cert-file ${folder.write('certificate.pem', certificate)}`,
    `tls-key-file ${folder.write('key.pem', key)}`,
    `tls-ca-cert-file ${folder.write('authority.pem', certificates.authority)}`,
    'tls-auth-clients no',
    'save ""',
    `requirepass "${password}"`,
    `user ${pingUser} on ">${password}" +ping`,
  ]
  const server = await ServerProcess.start({
    program,
    words: [folder.write('redis.conf', settings.join('\n'))],
    folder,
    isReady: (output) => output.includes('Ready to accept connections'),
  })
  return { port, securePort, password, pingUser, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
