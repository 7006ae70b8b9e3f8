// bench/storm-targets.ts: a process that is the world of a storm: targets that all answer 200 or all 500, a webhook, a
// hook in the manner of Slack and recovery webhooks that count what arrives, and a port over which the weather is
// changed and the counts are read. Prints its ports and runs until its standard input closes.
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

const targetPorts = 32
const minuteMs = 60_000

const answerOf = (status: string) =>
  Buffer.from(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok`)
const well = answerOf('200 OK')
const broken = answerOf('500 Broken')

let answer = well
const arrivals = { webhook: [] as number[], slack: [] as number[], recovery: [] as number[] }

const target = createServerOf((socket) => {
  socket.on('error', () => socket.destroy())
  socket.once('data', () => socket.end(answer))
  socket.on('end', () => socket.destroy())
})

function createServerOf(handler: (socket: Socket) => void): () => Server {
  return () => createServer({ noDelay: true, allowHalfOpen: false }, handler)
}

async function listen(server: Server | HttpServer): Promise<number> {
  await new Promise<void>((resolve) =>
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => resolve()),
  )
  return (server.address() as AddressInfo).port
}

/** The most that arrived in any span of this length. */
function mostWithin(times: readonly number[], spanMs: number): number {
  let most = 0
  for (let from = 0, to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= spanMs) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}

const providers = createHttpServer((request, response) => {
  const name = request.url!.split('/')[1] as keyof typeof arrivals
  request.resume().on('end', () => {
    arrivals[name].push(performance.now())
    response.end('ok')
  })
})

const control = createHttpServer((request, response) => {
  if (request.url === '/break') answer = broken
  if (request.url === '/mend') answer = well
  const { webhook, slack, recovery } = arrivals
  response.end(
    JSON.stringify({
      webhook: webhook.length,
      slack: slack.length,
      slackMostInASecond: mostWithin(slack, 1000),
      recovery: recovery.length,
      recoveryMostInAMinute: mostWithin(recovery, minuteMs),
    }),
  )
})

const targets = await Promise.all(Array.from({ length: targetPorts }, () => listen(target())))
const ports = { targets, providers: await listen(providers), control: await listen(control) }
process.stdout.write(`${JSON.stringify(ports)}\n`)
process.stdin.resume().on('end', () => process.exit(0))
