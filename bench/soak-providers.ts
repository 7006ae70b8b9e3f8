// bench/soak-providers.ts: a process with the providers of a soak: webhooks that accept everything, or fail
// in phases of minutes: 503, 429 with a wait, silence, a broken connection. Records only what it accepted.
// Prints its ports and runs until its standard input closes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Random } from '@pulseward/testing/simulation'
import type { Taken } from './soak-work.ts'

type Mood = 'well' | 'failing' | 'limiting' | 'silent' | 'breaking' | 'flaky'

const names = ['steady', 'flaky', 'failing', 'limiting', 'silent', 'breaking'] as const
const phaseMs = [20_000, 240_000] as const
const silenceMs = 60_000

const random = new Random(Number(process.argv[2] ?? '1'))
const moods = new Map<string, Mood>(names.map((name) => [name, 'well']))
const nothing: Taken = { reds: [], carried: 0, digests: 0 }
const taken = new Map<string, Taken>(names.map((name) => [name, nothing]))
const refused: Record<string, number> = {}
let isCalm = false

/** A destination alternates between working and failing, each in a different way. */
function turn(name: string): void {
  const isWell = isCalm || moods.get(name) !== 'well'
  moods.set(name, isWell ? 'well' : (name as Mood))
  setTimeout(() => turn(name), random.between(...phaseMs)).unref()
}

function note(name: string, body: Body): void {
  const { reds, carried, digests } = taken.get(name) ?? nothing
  const { color, incident_id: incident = null } = body
  taken.set(name, {
    reds: color === 'red' && incident !== null ? [...reds, incident] : reds,
    carried: carried + (body.untold?.incidents ?? 0),
    digests: digests + (body.kind === 'digest' ? (body.incidents ?? 0) : 0),
  })
}

interface Body {
  readonly kind?: 'digest'
  readonly incidents?: number
  readonly color?: string
  readonly incident_id?: string | null
  readonly untold?: { readonly incidents: number }
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = (request.url ?? '/').slice(1)
  const body = (await json(request)) as Body
  const mood = moods.get(name)
  if (mood === 'well' || (mood === 'flaky' && random.chance(0.5))) {
    note(name, body)
    response.end('ok')
    return
  }
  refused[name] = (refused[name] ?? 0) + 1
  if (mood === 'silent') setTimeout(() => response.destroy(), silenceMs).unref()
  else if (mood === 'breaking') response.socket?.resetAndDestroy()
  else if (mood === 'limiting') response.writeHead(429, { 'Retry-After': '20' }).end()
  else response.writeHead(503).end()
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
}

const providers = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy())
})
const control = createServer((request, response) => {
  if (request.url === '/calm') {
    isCalm = true
    for (const name of names) moods.set(name, 'well')
  }
  response.end(JSON.stringify({ taken: Object.fromEntries(taken), refused }))
})

for (const name of names)
  if (name !== 'steady') setTimeout(() => turn(name), random.between(0, 60_000)).unref()
const ports = { providers: await listen(providers), control: await listen(control), names }
process.stdout.write(`${JSON.stringify(ports)}\n`)
process.stdin.resume().on('end', () => process.exit(0))
