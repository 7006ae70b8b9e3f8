// commands/test-notification.ts: sends one message, marked as a test, to one endpoint of a fleet, through the
// same runner and network policy as the service, and reports the outcome, never the provider's text. One
// attempt. The message is gray: providers that page people do not page for it.
import { randomUUID } from 'node:crypto'
import {
  type ActionOutcome,
  driverShapes,
  loadFleet,
  type Notification,
  nearestName,
  notifierOf,
  openNetwork,
  outboundPolicy,
  runNotifier,
  shownTarget,
  systemClock,
  UsageError,
  watchConnect,
} from '@pulseward/server'
import { plain } from '../client/plain-text.ts'
import type { Command } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { configInPlace, fleetFlags, fleetPaths, trialSettings } from '../trial/fleet-flags.ts'

const TIMEOUT_MS = 20_000

export const testNotification: Command = {
  summary: 'send one test message to an endpoint',
  usage: 'ENDPOINT --config PATH',
  flags: fleetFlags,
  examples: ['pulseward test-notification ops-slack --config fleet.yaml'],
  async run(parsed, terminal) {
    const [name, ...others] = parsed.operands
    if (name === undefined || others.length > 0)
      throw new UsageError('Name one endpoint: pulseward test-notification ENDPOINT --config PATH')
    const settings = trialSettings(parsed, terminal)
    const { definition, credentials } = await loadFleet({
      paths: fleetPaths(settings),
      drivers: driverShapes,
      allowEmpty: true,
      environment: terminal.environment,
    })
    const endpoint = definition.endpoints.get(name)
    if (endpoint === undefined) throw new UsageError(noSuchEndpoint(name, definition.endpoints.keys()))
    const driver = notifierOf(endpoint)
    const { config, secrets } = configInPlace(driver.config, endpoint.config, credentials)
    const policy = outboundPolicy({
      allowLoopback: settings['network.allow_loopback_notify'],
      allowLinkLocal: settings['network.allow_link_local'],
    })
    using network = openNetwork(policy, { resolvers: settings['network.resolver'] }, systemClock)
    let isReached = false
    const reached = (): void => {
      isReached = true
    }
    const notification = testMessage(settings.public_url)
    const outcome = await runNotifier(
      { driver, config, notification, timeoutMs: TIMEOUT_MS, secrets },
      {
        network: watchConnect(network, reached),
        log: (message) => terminal.stdout.write(`${plain(message)}\n`),
      },
    )
    const destination = `${name} (${endpoint.type}, ${plain(shownTarget(driver, endpoint.config))})`
    return tell(terminal, outcome, destination, isReached)
  },
}

function noSuchEndpoint(name: string, known: Iterable<string>): string {
  const names = [...known]
  if (names.length === 0) return `There is no endpoint "${name}": the fleet has none.`
  const nearest = nearestName(name, names)
  return `There is no endpoint "${name}".${nearest === null ? '' : ` Did you mean "${nearest}"?`}`
}

function testMessage(link: string | null): Notification {
  return {
    monitorId: 'pulseward-test',
    monitor: 'a monitor of yours',
    color: 'gray',
    cause: 'test',
    status: 'up',
    severity: 'info',
    seen: 'a person tried out this endpoint; nothing is wrong',
    sinceMs: null,
    incidentId: null,
    actionId: `test-${randomUUID()}`,
    atMs: Date.now(),
    link,
    untold: null,
    digest: null,
  }
}

/** A provider that was never connected to has neither accepted nor refused. */
function tell(
  { stdout, stderr }: Terminal,
  outcome: ActionOutcome,
  destination: string,
  isReached: boolean,
): number {
  if (outcome.kind === 'accepted') {
    const note = outcome.note === undefined ? '' : ` (${plain(outcome.note)})`
    stdout.write(`The test message to ${destination} was delivered${note}.\n`)
    return 0
  }
  const reason = plain(outcome.reason)
  if (!isReached) {
    stderr.write(`pulseward: ${destination} was not reached: ${reason}.\n`)
    return 3
  }
  stdout.write(
    outcome.kind === 'unknown'
      ? `It is unknown whether the test message to ${destination} was delivered: ${reason}.\n`
      : `The test message to ${destination} was not delivered: ${reason}.\n`,
  )
  return 1
}
