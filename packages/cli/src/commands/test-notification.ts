// commands/test-notification.ts: sends one message, marked as a test, to one endpoint of a fleet or, with --server, of a
// service, through the same runner and network policy as the service, and reports the outcome, never the provider's text.
// One attempt.
import { randomUUID } from 'node:crypto'
import {
  driverShapes,
  loadFleet,
  nearestName,
  notificationTrialView,
  notifierOf,
  openNetwork,
  outboundPolicy,
  runTrialNotification,
  shownTarget,
  systemClock,
  testMessage,
  UsageError,
} from '@pulseward/server'
import { type ClientCommand, inSession } from '../client/client-command.ts'
import { connectionFlags } from '../client/connection.ts'
import { plain } from '../client/plain-text.ts'
import type { Command } from '../command.ts'
import { configInPlace, fleetFlags, fleetPaths, trialSettings } from '../trial/fleet-flags.ts'
import { tellNotification } from '../trial/notification-report.ts'
import { isServed } from '../trial/served.ts'
import { operationsOfTestNotification, runServedNotification } from '../trial/served-notification.ts'

const TIMEOUT_MS = 20_000

export const testNotification: Command & Pick<ClientCommand, 'operations'> = {
  summary: 'send one test message to an endpoint',
  usage: `ENDPOINT --config PATH
       ENDPOINT --server URL

The message is sent by this process. With --server or --context that service sends it instead, to an endpoint that
it has, over its network and with its credentials, as an operator.`,
  flags: { ...fleetFlags, ...connectionFlags },
  operations: operationsOfTestNotification,
  examples: [
    'pulseward test-notification ops-slack --config fleet.yaml',
    'pulseward test-notification ops-slack --server https://pulseward.example',
  ],
  async run(parsed, terminal) {
    if (isServed(parsed)) return await inSession({ run: runServedNotification }, parsed, terminal)
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
    const notification = testMessage({ id: randomUUID(), atMs: Date.now(), link: settings.public_url })
    const tried = await runTrialNotification(
      { driver, config, notification, timeoutMs: TIMEOUT_MS, secrets },
      { network, log: (message) => terminal.stdout.write(`${plain(message)}\n`) },
    )
    const destination = `${name} (${endpoint.type}, ${plain(shownTarget(driver, endpoint.config))})`
    return tellNotification(terminal, notificationTrialView(tried), destination)
  },
}

function noSuchEndpoint(name: string, known: Iterable<string>): string {
  const names = [...known]
  if (names.length === 0) return `There is no endpoint "${name}": the fleet has none.`
  const nearest = nearestName(name, names)
  return `There is no endpoint "${name}".${nearest === null ? '' : ` Did you mean "${nearest}"?`}`
}
