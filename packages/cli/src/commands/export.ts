// commands/export.ts: writes the resources of a service to stdout as a fleet file: the way back from v2 to
// files. Monitors are read and written page by page, so that the size of the fleet does not matter.
import { AuthenticationError, PulsewardError, type v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { BufferedOutput } from '../buffered-output.ts'
import { clientCommand } from '../client/client-command.ts'
import { CredentialNames } from '../client/export/credential-names.ts'
import { FleetExport } from '../client/export/fleet-export.ts'
import { noOperands, switchValue } from '../client/flag-values.ts'
import { everyRow } from '../client/pages.ts'
import type { Session } from '../client/session.ts'
import { fleetYaml, indented } from '../fleet-yaml.ts'

export const exportFleet = clientCommand({
  summary: 'write a fleet file of what the service has, without secrets',
  usage: '[--all] [flags] > fleet.yaml',
  flags: {
    all: { kind: 'switch', summary: 'Also what the service has from fleet files.' },
  },
  operations: [
    'ListMonitors',
    'ListNotificationEndpoints',
    'ListNotificationGroups',
    'ListRoutes',
    'ListPeople',
    'ListSchedules',
    'ListPolicies',
    'ListStatusPages',
    'ListCredentials',
  ],
  examples: ['pulseward export > fleet.yaml', 'pulseward export --all --context prod > fleet.yaml'],
  async run(parsed, session) {
    noOperands(parsed)
    const isAll = switchValue(parsed, 'all')
    await requireOperator(session)
    const problems = await writeFleet(session, isAll)
    for (const problem of problems) session.say(problem)
    if (problems.length === 0) return 0
    session.say('Fix these, or the file cannot be loaded.')
    return 1
  },
})

/**
 * Refuses readers: they see driver options without values, which would be lost. Only an operator may request a preflight.
 */
async function requireOperator({ client, signal }: Session): Promise<void> {
  try {
    await client.preflightCollection({ body: { items: [] } }, { signal })
  } catch (error) {
    // Any other problem shows up with the first list.
    if (error instanceof AuthenticationError || !(error instanceof PulsewardError)) throw error
  }
}

/** Returns what keeps the file from being loaded. */
async function writeFleet(session: Session, isAll: boolean): Promise<readonly string[]> {
  const { client, signal, terminal } = session
  const every = { limit: v2.limits.listLimit }
  const known = await Array.fromAsync(everyRow(client.listCredentials, every, { signal }))
  const names = new CredentialNames(known.map(({ metadata }) => metadata.id))
  const fleet = new FleetExport(names, isAll)
  const endpoints = await section(everyRow(client.listNotificationEndpoints, every, { signal }), (one) =>
    fleet.endpoint(one),
  )
  const groups = await section(everyRow(client.listNotificationGroups, every, { signal }), (one) =>
    fleet.group(one),
  )
  const routes = await entriesOf(everyRow(client.listRoutes, every, { signal }), (one) => {
    const route = fleet.route(one)
    return route === null
      ? null
      : { route, order: one.spec.policyRef === undefined ? null : (one.spec.order ?? 0) }
  })
  const people = await section(everyRow(client.listPeople, every, { signal }), (one) => fleet.person(one))
  const schedules = await section(everyRow(client.listSchedules, every, { signal }), (one) =>
    fleet.schedule(one),
  )
  const policies = await section(everyRow(client.listPolicies, every, { signal }), (one) => fleet.policy(one))
  const pages = await section(everyRow(client.listStatusPages, every, { signal }), (one) =>
    fleet.statusPage(one),
  )
  await using output = new BufferedOutput(terminal.stdout)
  await output.write(`# Made by pulseward export from ${session.server}.\n`)
  await output.write(
    fleetYaml({
      version: 1,
      ...endpoints('endpoints'),
      ...groups('groups'),
      ...people('people'),
      ...schedules('schedules'),
      ...policies('policies'),
      ...pages('status_pages'),
      ...routesInOrder(routes),
    }),
  )
  try {
    await writeMonitors(everyRow(client.listMonitors, every, { signal }), fleet, output)
  } catch (error) {
    if (error instanceof PulsewardError && !terminal.stdout.isClosed)
      session.say('What was written is not the whole fleet; do not use it.')
    throw error
  }
  const { credentials } = names
  if (Object.keys(credentials).length > 0)
    await output.write(
      `---\n# Values are never exported: set these variables for the service that loads this file.\n${fleetYaml({ credentials })}`,
    )
  for (const note of fleet.notes) session.say(note)
  return fleet.problems
}

async function writeMonitors(
  monitors: AsyncIterable<wire.Monitor>,
  fleet: FleetExport,
  output: BufferedOutput,
): Promise<void> {
  let isFirst = true
  for await (const resource of monitors) {
    const monitor = fleet.monitor(resource)
    if (monitor === null) continue
    if (isFirst) await output.write('monitors:\n')
    isFirst = false
    await output.write(indented(fleetYaml([monitor])))
  }
}

interface AnyRow {
  readonly metadata: { readonly id: string }
}

/** Writes nothing for an empty section. */
async function section<Row extends AnyRow, Entry>(
  rows: AsyncIterable<Row>,
  entryOf: (row: Row) => Entry | null,
): Promise<(key: string) => object> {
  const entries = await entriesOf(rows, entryOf)
  return (key) => (entries.length === 0 ? {} : { [key]: Object.fromEntries(entries) })
}

async function entriesOf<Row extends AnyRow, Entry>(
  rows: AsyncIterable<Row>,
  entryOf: (row: Row) => Entry | null,
): Promise<[id: string, entry: Entry][]> {
  const entries: [string, Entry][] = []
  for await (const row of rows) {
    const entry = entryOf(row)
    if (entry !== null) entries.push([row.metadata.id, entry])
  }
  return entries
}

interface OrderedRoute {
  readonly route: object
  /** Among the routes with a policy, of which the first that matches counts; null for one without. */
  readonly order: number | null
}

/** Of those without a policy, route-2 comes before route-10, as it was adopted. */
function routesInOrder(routes: readonly [id: string, route: OrderedRoute][]): object {
  if (routes.length === 0) return {}
  const { compare } = new Intl.Collator('en', { numeric: true })
  const inOrder = routes.toSorted(([id, { order }], [otherId, { order: other }]) => {
    if (order === null || other === null)
      return Number(order !== null) - Number(other !== null) || compare(id, otherId)
    return order - other || (id < otherId ? -1 : 1)
  })
  return { routes: inOrder.map(([, { route }]) => route) }
}
