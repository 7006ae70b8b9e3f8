// bench/storm-targets.ts: a process with everything around a storm: targets that all answer 200 or all 500, a
// webhook, a hook like Slack's and recovery webhooks that count what arrives, and a port to change the faults
// and read the counts. Prints its ports and runs until its standard input closes.
import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { minuteMs, mostWithin } from './most-within.ts'
import type { Arrived } from './storm-work.ts'

const targetPorts = 32

const answerOf = (status: string) =>
  Buffer.from(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok`)
const well = answerOf('200 OK')
const broken = answerOf('500 Broken')

let answer = well
const arrived = { webhook: 0, slack: 0, recovery: 0, page: 0 }
/** When each person was paged, by the time of the decision. */
const pagedAt = new Map<string, number[]>()

const createTarget = () =>
  createServer({ allowHalfOpen: false }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write(answer)
      // As in fleet-targets.ts: it represents other machines and does no more than it must.
      socket.destroy()
    })
    socket.on('end', () => socket.destroy())
  })

async function listen(server: Server | HttpServer): Promise<number> {
  await new Promise<void>((resolve) =>
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => resolve()),
  )
  return (server.address() as AddressInfo).port
}

const providers = createHttpServer((request, response) => {
  const [, name, person] = request.url!.split('/') as [string, keyof typeof arrived, string]
  if (name === 'page') takePage(request, person)
  request.resume().on('end', () => {
    arrived[name]++
    response.end('ok')
  })
})

function takePage(request: IncomingMessage, person: string): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { at, page } = JSON.parse(Buffer.concat(parts).toString())
    if (page.stage === 'step') pagedAt.set(person, [...(pagedAt.get(person) ?? []), Date.parse(at)])
  })
}

const control = createHttpServer((request, response) => {
  if (request.url === '/break') answer = broken
  if (request.url === '/mend') answer = well
  const pages = [...pagedAt.values()].map((times) =>
    mostWithin(
      times.toSorted((one, other) => one - other),
      minuteMs,
    ),
  )
  const said: Arrived = { ...arrived, people: pages.length, mostPagesInAMinute: Math.max(0, ...pages) }
  response.end(JSON.stringify(said))
})

const targets = await Promise.all(Array.from({ length: targetPorts }, () => listen(createTarget())))
const ports = { targets, providers: await listen(providers), control: await listen(control) }
process.stdout.write(`${JSON.stringify(ports)}\n`)
process.stdin.resume().on('end', () => process.exit(0))
