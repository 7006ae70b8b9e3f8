// demo/fleet.ts: the fleet of a demo, as the lines of a fleet file. Pure: the same world and ports give the
// same bytes. Every monitor has a number, which its target reads back from the path, line or name in the
// request, so a handful of ports serves any number of monitors.
import { regions, type Service, services } from './catalogue.ts'
import { choose, draw } from './draws.ts'
import { isStoried, patienceOf, rackCount, slownessOf, type World } from './life.ts'

export interface Ports {
  readonly http: readonly number[]
  readonly tcp: readonly number[]
  readonly dns: number
  readonly racks: readonly number[]
  readonly inbox: number
}

/** A monitor as a fleet file has it. */
export interface DemoMonitor {
  readonly id: string
  readonly name: string
  readonly tags: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  readonly depends_on?: readonly [string]
  readonly check: { readonly type: string; readonly interval: string; readonly config: object }
  readonly recovery?: object
  readonly maintenance?: readonly object[]
}

export const host = '127.0.0.1'

/** Everything except the monitors. */
export function fleetHead(world: World, ports: Ports): string {
  const head = `version: 1
defaults:
  check: { timeout: ${patienceOf(world).timeoutMs}ms, unhealthy_threshold: 2, healthy_threshold: 2 }
`
  return isStoried(world) ? head + destinations(ports) : head
}

/** Two destinations, both of them the inbox: the chat hears of everything, the pager of what matters at night. */
function destinations({ inbox }: Ports): string {
  return `endpoints:
  team-chat: { type: webhook, config: { url: "${inboxUrl(inbox)}team-chat" } }
  on-call-pager: { type: webhook, config: { url: "${inboxUrl(inbox)}on-call-pager" } }
routes:
  - { match: {}, colors: [red, green, cyan, gray], endpoints: [team-chat] }
  - { match: { tier: "1" }, colors: [red, green], endpoints: [on-call-pager] }
`
}

export function inboxUrl(port: number): string {
  return `http://${host}:${port}/`
}

const tiers = [
  { tier: '1', intervalSeconds: 5, upTo: 0.2 },
  { tier: '2', intervalSeconds: 10, upTo: 0.6 },
  { tier: '3', intervalSeconds: 15, upTo: 1 },
] as const

/** The share of http services that are in a rack. */
const rackedShare = 0.12
/** The share of the other http services that can be restarted. */
const restartableShare = 0.4
/** Batch jobs are maintained in one half of every hour or in the other, so that some always are. */
const maintenance = [
  { cron: '0 * * * *', duration: '30m' },
  { cron: '30 * * * *', duration: '30m' },
] as const
const linesPerChunk = 5_000

/** The purposes of draws about a monitor; outages have their own, in life.ts. */
const purpose = { service: -10, region: -11, tier: -12, racked: -13, rack: -14, recovery: -15 }

/** The fleet in chunks of some thousand lines, one monitor per line. */
export function* fleetChunks(world: World, ports: Ports): Generator<string> {
  for (let from = 0; from < world.monitors; from += linesPerChunk) {
    const count = Math.min(linesPerChunk, world.monitors - from)
    yield Array.from(
      { length: count },
      (_, index) => `${JSON.stringify(monitor(world, ports, from + index))}\n`,
    ).join('')
  }
}

/**
 * The first monitors are the gateways of the racks, because the monitors behind them refer to them. Then comes the inbox,
 * whose page leads to it.
 */
export function monitor(world: World, ports: Ports, number: number): DemoMonitor {
  if (number < rackCount) return gateway(world, ports, number)
  return number === rackCount && isStoried(world) ? inbox(ports) : service(world, ports, number)
}

function inbox(ports: Ports): DemoMonitor {
  return {
    id: 'demo-inbox',
    name: 'Inbox of this demo',
    tags: ['edge'],
    check: { type: 'http', interval: '10s', config: { url: inboxUrl(ports.inbox) } },
  }
}

function gateway(world: World, ports: Ports, rack: number): DemoMonitor {
  return {
    id: gatewayIdentity(rack),
    name: `Rack ${rack + 1} gateway`,
    tags: ['edge'],
    labels: { team: 'edge', region: regions[rack]!, tier: '1' },
    check: {
      type: 'tcp',
      interval: `${tiers[0].intervalSeconds * slownessOf(world)}s`,
      config: { host, port: ports.racks[rack]! },
    },
  }
}

function service(world: World, ports: Ports, number: number): DemoMonitor {
  const drawn = (what: keyof typeof purpose) => draw(world.seed, number, purpose[what])
  const kind = choose(services, drawn('service'))
  const { tier, intervalSeconds } = tiers.find(({ upTo }) => drawn('tier') < upTo)!
  const rack =
    kind.type === 'http' && drawn('racked') < rackedShare ? Math.floor(drawn('rack') * rackCount) : null
  const region = rack === null ? choose(regions, drawn('region')) : regions[rack]!
  return {
    id: `${kind.area}-${slug(kind.name)}-${number}`,
    name: `${kind.name} ${number} (${region})`,
    tags: [kind.area],
    labels: { team: kind.area, region, tier },
    ...(rack === null ? {} : { depends_on: [gatewayIdentity(rack)] }),
    check: {
      type: kind.type,
      interval: `${intervalSeconds * slownessOf(world)}s`,
      config: { ...configOf(kind, number, ports, rack), max_latency: `${patienceOf(world).maxLatencyMs}ms` },
    },
    ...(isStoried(world) &&
      storyOf(kind, { number, isRacked: rack !== null, drawn: drawn('recovery') }, ports)),
  }
}

/** Windows of maintenance, and what restarts a service: outages of a rack are not ended by restarting what is in it. */
function storyOf(
  { type, area }: Service,
  { number, isRacked, drawn }: { number: number; isRacked: boolean; drawn: number },
  { inbox }: Ports,
): Pick<DemoMonitor, 'recovery' | 'maintenance'> {
  const isMaintained = area === 'batch' && type === 'http'
  const canRestart = type === 'http' && !isRacked && drawn < restartableShare
  const url = `${inboxUrl(inbox)}restart/${number}`
  return {
    ...(isMaintained && { maintenance: [maintenance[number % 2]!] }),
    ...(canRestart && { recovery: { type: 'webhook', timeout: '5s', config: { url } } }),
  }
}

function configOf(kind: Service, number: number, ports: Ports, rack: number | null): object {
  switch (kind.type) {
    case 'http': {
      const port = rack === null ? ports.http[number % ports.http.length]! : ports.racks[rack]!
      return { url: `http://${host}:${port}${httpPath(kind, number)}` }
    }
    case 'tcp':
      return {
        host,
        port: ports.tcp[number % ports.tcp.length]!,
        send: `PING ${number}\r\n`,
        expect: `PONG ${number}`,
      }
    case 'dns':
      return {
        host: `${kind.area}-${number}.demo.test`,
        server: `${host}:${ports.dns}`,
        expect: [addressOf(number).join('.')],
      }
  }
}

function httpPath(kind: Service, number: number): string {
  return `/${kind.area}/${slug(kind.name)}/${number}/health`
}

/** The address that the name of a dns monitor resolves to. */
export function addressOf(number: number): [number, number, number, number] {
  return [10, (number >> 16) & 255, (number >> 8) & 255, number & 255]
}

function gatewayIdentity(rack: number): string {
  return `edge-rack-${rack + 1}`
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
