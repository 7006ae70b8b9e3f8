// bench/bare-probes.ts: the least that Node.js can do for a check over a connection: a socket and its events,
// with no deadline, policy, resolver, parsing or outcome. Everything beyond this is the cost of the driver.
import { connect, type Socket } from 'node:net'
import { createSecureContext, connect as tlsConnect } from 'node:tls'

export type Probe = () => Promise<void>

/** A way to probe, with whatever it keeps open between probes. */
export interface BareProbe extends Disposable {
  readonly probe: Probe
}

type Question = Buffer | string

const host = '127.0.0.1'

export function bareTcp(port: number): Probe {
  return () => converse(connect({ host, port }), 'connect', [])
}

/** Sends one question after the other; anything received is the answer. A final message is not answered. */
export function bareExchange(port: number, questions: readonly Question[], lastWord?: Question): Probe {
  return () => converse(connect({ host, port }), 'connect', questions, lastWord)
}

export function bareHttp(port: number, path: string): Probe {
  return bareExchange(port, [httpRequest(path)])
}

export function bareTls(port: number, authority: string, questions: readonly Question[] = []): Probe {
  const secureContext = createSecureContext({ ca: authority })
  return () => converse(tlsConnect({ host, port, secureContext }), 'secureConnect', questions)
}

export function bareHttps(port: number, authority: string, path: string): Probe {
  return bareTls(port, authority, [httpRequest(path)])
}

/** An empty question waits for a server that speaks first. */
function converse(
  socket: Socket,
  ready: 'connect' | 'secureConnect',
  questions: readonly Question[],
  lastWord?: Question,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = 0
    const ask = (): void => {
      const question = questions[asked++]
      if (question !== undefined) {
        if (question.length > 0) socket.write(question)
        return
      }
      if (lastWord !== undefined) socket.write(lastWord)
      socket.destroy()
      resolve()
    }
    socket.on('error', reject)
    socket.on(ready, ask)
    socket.on('data', ask)
  })
}

function httpRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
}
