// commands/check.ts: runs one check once, in this process or, with --server, in a service, and shows what it saw, phase by
// phase. One attempt, whatever retries are configured: a retry would hide the first outcome. Nothing is stored, and no
// notification is sent.
import {
  checkPolicy,
  checks,
  driverShapes,
  type LoadedFleet,
  loadFleet,
  loadSingle,
  openNetwork,
  PackedReader,
  runTrialCheck,
  shownTarget,
  systemClock,
  UsageError,
} from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { type ClientCommand, inSession } from '../client/client-command.ts'
import { connectionFlags } from '../client/connection.ts'
import type { Command } from '../command.ts'
import { outputFlag, outputFrom } from '../output-flag.ts'
import type { Terminal } from '../terminal.ts'
import { type CheckReport, reportAsJson, reportAsText } from '../trial/check-report.ts'
import { findMonitor } from '../trial/find-monitor.ts'
import { configInPlace, fleetFlags, fleetPaths, trialSettings } from '../trial/fleet-flags.ts'
import { isServed } from '../trial/served.ts'
import { operationsOfCheck, runServedCheck } from '../trial/served-check.ts'

export const check: Command & Pick<ClientCommand, 'operations'> = {
  summary: 'run one check now and show what it sees',
  usage: `ID --config PATH | --file FILE [--server URL] [-o json]
       ID --server URL

The check runs in this process. With --server or --context it runs in that service instead, over its network and
with its credentials, as an operator: of a monitor that it has, or of a FILE that it has not been given yet.`,
  flags: {
    ...fleetFlags,
    file: {
      kind: 'value',
      valueName: 'FILE',
      summary: 'A file with one monitor or one check, instead of ID.',
    },
    output: outputFlag,
    ...connectionFlags,
  },
  operations: operationsOfCheck,
  examples: [
    'pulseward check checkout-api --config fleet.yaml',
    'pulseward check --file draft.yaml -o json',
    'pulseward check --file draft.yaml --server https://pulseward.example',
  ],
  async run(parsed, terminal) {
    if (isServed(parsed)) return await inSession({ run: runServedCheck }, parsed, terminal)
    const output = outputFrom(parsed)
    const settings = trialSettings(parsed, terminal)
    const { loaded, row } = await chosenMonitor(parsed, settings, terminal)
    const policy = checkPolicy({ allowLinkLocal: settings['network.allow_link_local'] })
    using network = openNetwork(policy, { resolvers: settings['network.resolver'] }, systemClock)
    const report = await tryCheck(loaded, row, network)
    const { timeZone } = terminal
    const text =
      output === 'json' ? reportAsJson(report) : reportAsText(report, { nowMs: Date.now(), timeZone })
    terminal.stdout.write(`${text}\n`)
    return report.status === 'success' ? 0 : 1
  },
}

async function chosenMonitor(
  parsed: ParsedArguments,
  settings: ReturnType<typeof trialSettings>,
  { environment }: Terminal,
): Promise<{ loaded: LoadedFleet; row: number }> {
  const file = lastValue(parsed, 'file')
  const [id, ...others] = parsed.operands
  if (others.length > 0 || (id === undefined) === (file === null))
    throw new UsageError('Name one monitor: pulseward check ID --config PATH, or pulseward check --file FILE')
  const options = { drivers: driverShapes, environment }
  if (file !== null) return { loaded: await loadSingle(file, options), row: 0 }
  const loaded = await loadFleet({ ...options, paths: fleetPaths(settings), allowEmpty: true })
  return { loaded, row: findMonitor(loaded, id!) }
}

async function tryCheck(
  { definition, credentials }: LoadedFleet,
  row: number,
  network: ReturnType<typeof openNetwork>,
): Promise<CheckReport> {
  const { type, timeoutMs } = definition.policies.values[definition.policies.of[row]!]!
  const driver = driverOf(type)
  const written = JSON.parse(new PackedReader(definition.configs).get(row)) as object
  const { config, secrets } = configInPlace(driver.config, written, credentials)
  const { outcome, phases, observations } = await runTrialCheck(
    { driver, config, timeoutMs, secrets },
    { network, clock: systemClock },
  )
  return {
    id: new PackedReader(definition.ids).get(row),
    name: new PackedReader(definition.names).get(row),
    type,
    target: shownTarget(driver, written),
    phases,
    observations: observations.map(({ name, seen, expected, isMet }) => ({
      name,
      seen,
      ...(expected === null ? {} : { expected }),
      ...(isMet === null ? {} : { met: isMet }),
    })),
    ...outcome,
  }
}

function driverOf(type: string) {
  return (checks as unknown as Record<string, Parameters<typeof runTrialCheck>[0]['driver']>)[type]!
}
