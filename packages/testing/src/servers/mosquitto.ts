// servers/mosquitto.ts: an MQTT broker with one user, in plain text and over TLS, who may use a single topic.
import { execFileSync } from 'node:child_process'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { certificates } from '../targets/certificates.ts'
import { accepts, findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const mosquitto: ServerKind = {
  name: 'Mosquitto',
  debianPackages: ['mosquitto'],
  find: () => (findProgram('mosquitto_passwd') === null ? null : findProgram('mosquitto')),
}

export interface RunningMosquitto extends AsyncDisposable {
  readonly port: number
  readonly securePort: number
  readonly user: string
  readonly password: string
  /** The only topic that the user may read and write. */
  readonly topic: string
}

export async function startMosquitto(program: string): Promise<RunningMosquitto> {
  const folder = temporaryFolder()
  const [port, securePort] = [await freePort(), await freePort()]
  const [user, password, topic] = ['ward', 'a password of mosquitto', 'pulseward/probe']
  const passwords = folder.write('passwords', '')
  execFileSync(findProgram('mosquitto_passwd')!, ['-b', passwords, user, password], { stdio: 'pipe' })
  const { certificate, key } = certificates.good
  const settings = [
    // Otherwise a broker that root starts changes to a user who cannot read this folder.
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    'allow_anonymous false',
    `password_file ${passwords}`,
    `acl_file ${folder.write('topics', `user ${user}\ntopic readwrite ${topic}\n`)}`,
    `listener ${port} 127.0.0.1`,
    `listener ${securePort} 127.0.0.1`,
    `certfile ${folder.write('certificate.pem', certificate)}`,
    `keyfile ${folder.write('key.pem', key)}`,
  ]
  const server = await ServerProcess.start({
    program,
    words: ['-c', folder.write('mosquitto.conf', `${settings.join('\n')}\n`)],
    folder,
    isReady: async () => (await accepts(port)) && (await accepts(securePort)),
  })
  return {
    port,
    securePort,
    user,
    password,
    topic,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
