// checks/driver/visit-server.ts: a session with the server that a configuration names. A credential that holds no url of
// the protocol is told like any other failure, since it can be seen only now.
import type { CheckRun, Outcome } from '../driver.ts'
import { networkFailure } from './outcomes.ts'
import { type Protocol, type Server, type ServerConfig, serverOf } from './server-config.ts'
import { inSession, type Session } from './session.ts'

export async function visitServer(
  run: CheckRun,
  config: ServerConfig,
  protocol: Protocol,
  talk: (session: Session, server: Server) => Promise<void>,
): Promise<Outcome> {
  let server: Server
  try {
    server = serverOf(config, protocol)
  } catch (error) {
    return networkFailure(error, run)
  }
  return inSession(run, server, config.max_latency, (session) => talk(session, server))
}
