// demo/fleet.ts: the fleet of a demo, as the lines of a fleet file. Pure: the same world and ports give the
// same bytes. Every monitor has a number, which its target reads back from the path, line or name in the
// request, so a handful of ports serves any number of monitors.
import { regions, type Service, services } from './catalogue.ts'
import { choose, draw } from './draws.ts'
import { patienceOf, rackCount, slownessOf, type World } from './life.ts'

export interface Ports {
  readonly http: readonly number[]
  readonly tcp: readonly number[]
  readonly dns: number
  readonly racks: readonly number[]
}

export const host = '127.0.0.1'

/** Everything except the monitors. */
export function fleetHead(world: World): string {
  return `version: 1
defaults:
  check: { timeout: ${patienceOf(world).timeoutMs}ms, unhealthy_threshold: 2, healthy_threshold: 2 }
`
}

const tiers = [
  { tier: '1', intervalSeconds: 5, upTo: 0.2 },
  { tier: '2', intervalSeconds: 10, upTo: 0.6 },
  { tier: '3', intervalSeconds: 15, upTo: 1 },
] as const

/** The share of http services that are in a rack. */
const rackedShare = 0.12
const linesPerChunk = 5_000

/** The purposes of draws about a monitor; outages have their own, in life.ts. */
const purpose = { service: -10, region: -11, tier: -12, racked: -13, rack: -14 }

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

/** The first monitors are the gateways of the racks, because the monitors behind them refer to them. */
function monitor(world: World, ports: Ports, number: number): object {
  return number < rackCount ? gateway(world, ports, number) : service(world, ports, number)
}

function gateway(world: World, ports: Ports, rack: number): object {
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

function service(world: World, ports: Ports, number: number): object {
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
