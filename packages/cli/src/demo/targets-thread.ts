// demo/targets-thread.ts: the thread of a demo's targets. Opens every port, reports them, and answers as each
// monitor's life says until it is terminated.
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { createDnsTarget } from './dns-target.ts'
import { host, type Ports } from './fleet.ts'
import { createHttpTarget } from './http-target.ts'
import { createInbox } from './inbox.ts'
import { type Answer, answerOf, isRackClosed, rackCount, restartHoldsMs, type World } from './life.ts'
import { keepRack } from './rack.ts'
import { createTcpTarget } from './tcp-target.ts'

/** With a single port, a large fleet would run out of client ports. */
const httpPorts = 8
const tcpPorts = 4
/** Connections that wait to be accepted when many checks start at once. */
const backlog = 4_096

const world = workerData as World
const elapsedMs = () => performance.now()
/** Until when restarted services work, whatever their lives say. */
const restarted = new Map<number, number>()

function look(monitor: number): Answer | null {
  if (monitor >= world.monitors) return null
  const answer = answerOf(world, monitor, elapsedMs())
  const isRestarted = (restarted.get(monitor) ?? 0) > elapsedMs()
  return isRestarted ? { ...answer, condition: 'healthy' } : answer
}

/** Two of three restarts work. */
function restart(monitor: number): boolean {
  const works = monitor < world.monitors && Math.random() < 2 / 3
  if (works) restarted.set(monitor, elapsedMs() + restartHoldsMs(world))
  return works
}

async function listen(server: Server): Promise<number> {
  server.listen({ host, port: 0, backlog })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function openRack(rack: number): Promise<number> {
  const server = createHttpTarget(look)
  const port = await listen(server)
  keepRack(server, port, () => isRackClosed(world, rack, elapsedMs()))
  return port
}

async function openDns(): Promise<number> {
  const socket = createDnsTarget(look)
  socket.bind(0, host)
  await once(socket, 'listening')
  return socket.address().port
}

function several(count: number, open: (number: number) => Promise<number>): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => open(number)))
}

const ports: Ports = {
  http: await several(httpPorts, () => listen(createHttpTarget(look))),
  tcp: await several(tcpPorts, () => listen(createTcpTarget(look))),
  dns: await openDns(),
  racks: await several(rackCount, openRack),
  inbox: await listen(createInbox(restart)),
}
parentPort!.postMessage(ports)
