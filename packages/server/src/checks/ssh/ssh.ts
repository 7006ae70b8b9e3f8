// checks/ssh/ssh.ts: does an SSH server greet, is it the right one, does it let a user in and run a command?
// The greeting alone needs no library. The first line must be the greeting: RFC 4253 permits other lines
// before it, but other protocols begin with such lines, and the two could not be told apart.
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { quote } from '../../platform/wording.ts'
import { loadOnce } from '../driver/load-once.ts'
import { inSession, type Session } from '../driver/session.ts'
import { CheckFailure, defineCheck } from '../driver.ts'
import { DEFAULT_PORT, needsKeyExchange, sshConfig } from './config.ts'

const loadLibrary = loadOnce(() => import('./converse.ts'))

const LONGEST_GREETING_BYTES = 255
const LINE_FEED = 0x0a

export const ssh = defineCheck({
  summary: 'Greets an SSH server, and optionally verifies its host key, logs in and runs a command.',
  config: sshConfig,
  requires: ['ssh2'],
  target: ({ host, port = DEFAULT_PORT }) => formatEndpoint(host, port),
  async check(config, run) {
    const library = needsKeyExchange(config) ? await loadLibrary() : null
    const { host, port = DEFAULT_PORT, family = 'any', banner } = config
    return inSession(run, { host, port, family }, config.max_latency, async (session) => {
      const greeting = await readGreeting(session)
      if (banner !== undefined && !greeting.includes(banner))
        throw new CheckFailure(
          `the greeting of ${session.peer} is without ${quote(banner)}: ${quote(greeting)}`,
        )
      if (library !== null) await session.lend((socket) => library.converse(socket, config, session))
    })
  },
})

/** Leaves the greeting unread, because the key exchange begins with it. */
async function readGreeting(session: Session): Promise<string> {
  session.awaits('greeting')
  for (let length = 1; length <= LONGEST_GREETING_BYTES; length++) {
    const bytes = await session.peek(length)
    if (bytes[length - 1] !== LINE_FEED) continue
    const line = bytes.toString('latin1').trimEnd()
    if (/^SSH-(2\.0|1\.99)-/.test(line)) return line
    if (line.startsWith('SSH-1.'))
      throw new CheckFailure(`${session.peer} speaks only SSH 1, which is not safe`)
    throw new CheckFailure(`${session.peer} does not speak SSH: it says ${quote(line)}`)
  }
  throw session.speaksOtherThan('SSH')
}
