// checks/driver/server-session.ts: a session with the server that a configuration names.
import type { CheckRun, Outcome } from '../driver.ts'
import { type Protocol, type Server, type ServerConfig, serverOf } from './server-config.ts'
import { inSession, type Session } from './session.ts'

export async function inServerSession(
  run: CheckRun,
  config: ServerConfig,
  protocol: Protocol,
  talk: (session: Session, server: Server) => Promise<void>,
): Promise<Outcome> {
  const server = serverOf(config, protocol)
  return inSession(run, server, config.max_latency, (session) => talk(session, server))
}
