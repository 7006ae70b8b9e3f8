// platform/network/local-socket.ts: a connection to a service on this machine by the path of its socket. File
// owners and modes are the only policy; other machines cannot be reached this way.
import { connect, type Socket } from 'node:net'
import { type Deadline, late, NotSent } from './outbound-connect.ts'

/** The connected socket, or why there is none; then nothing was sent. */
export function connectLocal(path: string, deadline: Deadline): Promise<Socket | NotSent> {
  const { signal } = deadline
  if (signal.aborted) return Promise.resolve(new NotSent('no time was left to connect', true))
  return new Promise((resolve) => {
    const socket = connect({ path })
    const decide = (result: Socket | NotSent): void => {
      signal.removeEventListener('abort', expire)
      if (result instanceof NotSent) socket.destroy()
      resolve(result)
    }
    const expire = (): void => decide(new NotSent(late(`no connection to ${path}`, deadline), true))
    socket.on('connect', () => decide(socket))
    // Stays on the socket, so that no error is uncaught before the next owner adds its own listener.
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      decide(new NotSent(sentenceOf(code ?? 'no reason given', path), true)),
    )
    signal.addEventListener('abort', expire)
  })
}

function sentenceOf(code: string, path: string): string {
  switch (code) {
    case 'ENOENT':
      return `there is no socket at ${path}`
    case 'ECONNREFUSED':
      return `nothing listens at ${path}`
    case 'EACCES':
    case 'EPERM':
      return `this process may not use ${path}`
    default:
      return `the connection to ${path} failed (${code})`
  }
}
