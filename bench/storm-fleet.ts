// bench/storm-fleet.ts: writes the fleet of a storm. Every monitor notifies a webhook, one in a hundred also
// a hook that accepts one message per second. Monitors with a recovery are additional: they open no incident
// until the recovery has failed.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface StormShape {
  readonly monitors: number
  /** In addition to those. */
  readonly recoverable: number
  readonly intervalSeconds: number
  /** How many escalation policies share the monitors; with 0 there are no pages. */
  readonly policies: number
  /** Divided among the policies, whose only step tells all of theirs. */
  readonly people: number
}

/** The ports of storm-targets.ts. */
export interface StormPorts {
  readonly targets: readonly number[]
  readonly providers: number
  readonly control: number
}

const alsoToSlack = 100

export const isRecoverable = (monitorId: string) => monitorId.startsWith('recoverable-')

export function writeStormFleet(folder: string, shape: StormShape, ports: StormPorts): string {
  const { monitors, recoverable } = shape
  const hook = `http://127.0.0.1:${ports.providers}`
  const fleet = join(folder, 'fleet')
  mkdirSync(fleet)
  writeFileSync(join(folder, 'slack-hook'), `${hook}/slack/`)
  writeFileSync(
    join(fleet, 'endpoints.json'),
    JSON.stringify({
      version: 1,
      credentials: { slack: { file: join(folder, 'slack-hook') } },
      endpoints: {
        ops: { type: 'webhook', config: { url: `${hook}/webhook/` } },
        channel: { type: 'slack', config: { hook: { credential: 'slack' } } },
        ...pagersOf(shape, hook),
      },
      ...onCallOf(shape),
    }),
  )
  const file = join(fleet, 'monitors.ndjson')
  for (let from = 0; from < monitors + recoverable; from += 10_000) {
    const count = Math.min(10_000, monitors + recoverable - from)
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify(monitor(from + index, shape, ports)),
    )
    appendFileSync(file, `${lines.join('\n')}\n`)
  }
  return fleet
}

function pagersOf({ policies, people }: StormShape, hook: string): object {
  const numbers = policies === 0 ? [] : Array.from({ length: people }, (_, number) => number)
  return Object.fromEntries(
    numbers.map((number) => [
      `pager-${number}`,
      { type: 'webhook', config: { url: `${hook}/page/${number}` } },
    ]),
  )
}

function onCallOf({ policies, people }: StormShape): object {
  if (policies === 0) return {}
  const numbers = Array.from({ length: people }, (_, number) => number)
  const told = (policy: number) => numbers.filter((number) => number % policies === policy)
  return {
    people: Object.fromEntries(
      numbers.map((number) => [`person-${number}`, { endpoints: [`pager-${number}`] }]),
    ),
    policies: Object.fromEntries(
      Array.from({ length: policies }, (_, policy) => [
        `policy-${policy}`,
        { steps: [{ notify: told(policy).map((number) => ({ person: `person-${number}` })), wait: '1h' }] },
      ]),
    ),
  }
}

function monitor(
  number: number,
  { monitors, intervalSeconds, policies }: StormShape,
  ports: StormPorts,
): object {
  const hasRecovery = number >= monitors
  const port = ports.targets[number % ports.targets.length]!
  const endpoints = number % alsoToSlack === 0 ? ['ops', 'channel'] : ['ops']
  const recovery = {
    type: 'webhook',
    settle: '1s',
    config: { url: `http://127.0.0.1:${ports.providers}/recovery/${number}` },
  }
  return {
    id: `${hasRecovery ? 'recoverable' : 'service'}-${number}`,
    name: `Service ${number}`,
    check: {
      type: 'http',
      interval: `${intervalSeconds}s`,
      timeout: '5s',
      unhealthy_threshold: 1,
      healthy_threshold: 1,
      config: { url: `http://127.0.0.1:${port}/service/${number}/health` },
    },
    notify: { red: { endpoints }, green: { endpoints } },
    ...(policies === 0 ? {} : { policy: `policy-${number % policies}` }),
    ...(hasRecovery ? { recovery } : {}),
  }
}
