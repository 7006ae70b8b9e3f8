// Contract, OpenAPI document, client and command line are one thing: every operation of v2 is in all of them, or it is
// known why the command line leaves it to the library.
import { createClient } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { openApi } from '@pulseward/contract/openapi'
import { v2Api } from '@pulseward/contract/v2/api'
import { exchanges } from '@pulseward/contract/v2/examples'
import { problemAnswer, ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'
import { subjects } from '../client/subjects/all-subjects.ts'
import { loadCommands } from '../commands.ts'

const v1HasIt = 'pulseward get, health, ready and metrics read the same from v1, which every edition serves'
const forThePage = 'the page switches it at first use; there is nothing to script'
const ownCommand = 'pulseward push-key create makes a key without a service'
const forWorkers = 'the worker library speaks this; a person never does'

const libraryOnly: Readonly<Partial<Record<v2.OperationName, string>>> = {
  GetState: v1HasIt,
  GetHistory: v1HasIt,
  GetSLO: v1HasIt,
  GetQueues: v1HasIt,
  GetPools: v1HasIt,
  GetSystems: v1HasIt,
  GetConfig: v1HasIt,
  GetReady: v1HasIt,
  GetLive: v1HasIt,
  GetMetrics: v1HasIt,
  GetPracticeTarget: forThePage,
  SwitchPracticeTarget: forThePage,
  CreatePushKey: ownCommand,
  WorkerPoll: forWorkers,
  WorkerStart: forWorkers,
  WorkerHeartbeat: forWorkers,
  WorkerResult: forWorkers,
  WorkerLateEvidence: forWorkers,
}

/** Written one by one, where the service offers no operations. */
const oneByOne = Object.fromEntries(
  v2.resourceKinds.flatMap((kind) => [
    [`Create${kind}`, 'apply -f -'],
    [`Replace${kind}`, 'apply -f -'],
  ]),
) as Partial<Record<v2.OperationName, string>>

const ofKinds = Object.fromEntries(
  v2.resourceKinds.flatMap((kind) => {
    const { names, plural } = v2.kinds[kind]
    const [one, several] = names
    return [
      // Monitors are listed by v1, or by v2 where a selector asks for it.
      ...(kind === 'Monitor' ? [] : [[`List${plural}`, `get ${several}`]]),
      [`Get${kind}`, `describe ${one} a`],
      ...(v2.isPatched(kind)
        ? [[`Patch${kind}`, `patch ${one} a -p {"metadata":{"name":"b"}} --revision 1`]]
        : []),
      [`Delete${kind}`, `delete ${one} a --revision 1`],
    ]
  }),
) as Partial<Record<v2.OperationName, string>>

/** A command line that carries each operation out, possibly beside others. */
const lines: Readonly<Partial<Record<v2.OperationName, string>>> = {
  ...ofKinds,
  ListActions: 'get actions',
  ListIncidents: 'describe monitor a',
  ListWorkers: 'get workers',
  ListOperations: 'get operations --state staging',
  CreateSignInLink: 'sign-in',
  GetIncident: 'describe incident a',
  GetAction: 'describe action a',
  GetOperation: 'get operation a',
  GetVersion: 'describe service',
  GetCapabilities: 'api-resources',
  ExplainResource: 'explain --online slack',
  ExplainMonitor: 'explain monitor a',
  ExplainIncident: 'explain incident a',
  ExplainAction: 'explain action a',
  AcknowledgeIncident: 'ack a',
  DismissIncident: 'dismiss a --reason x',
  ReopenIncident: 'reopen a',
  AddIncidentNote: 'note a b',
  SnoozeMonitor: 'snooze a --for 1h --reason x',
  UnsnoozeMonitor: 'unsnooze a',
  RecoverMonitor: 'recover a --reason x',
  ReviewAction: 'review a --resolution rejected --reason x',
  PreflightCollection: 'apply -f - --dry-run=server',
  CreateOperation: 'apply -f -',
  UploadOperation: 'apply -f -',
  ValidateOperation: 'apply -f -',
  ActivateOperation: 'apply -f -',
  CancelOperation: 'delete operation a',
  TryCheck: 'check a',
  TryNotification: 'test-notification a',
  GetShifts: 'describe schedule a',
}

let peer: ReferencePeer
beforeAll(async () => {
  peer = await ReferencePeer.start()
})
afterAll(() => peer[Symbol.asyncDispose]())

const commands = await loadCommands()

function operationsOf(name: string): readonly string[] {
  return (commands[name] as { operations?: readonly string[] }).operations ?? []
}

describe('contract, OpenAPI document, client and command line', () => {
  it('have the same operations', () => {
    const document = openApi({
      info: { title: '', version: '', description: '' },
      edition: 'next',
      apis: [v2Api],
      authentication: true,
      builds: ['external_jobs'],
    }) as { paths: Record<string, Record<string, { operationId: string }>> }
    const documented = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId.replace(/^v2\./, '')),
    )
    expect(documented.toSorted()).toEqual(v2.operationNames.toSorted())
    const client = createClient({ baseUrl: 'http://127.0.0.1' }) as unknown as Record<string, unknown>
    for (const name of v2.operationNames)
      expect(client[name[0]!.toLowerCase() + name.slice(1)], name).toBeTypeOf('function')
    const reached = new Set(Object.keys(commands).flatMap(operationsOf))
    expect([...reached, ...Object.keys(libraryOnly)].toSorted()).toEqual(v2.operationNames.toSorted())
    expect(['ListMonitors', ...Object.keys(lines), ...Object.keys(oneByOne)].toSorted()).toEqual(
      [...reached].toSorted(),
    )
  })

  it('filter a list by what applies to its rows, and by nothing else', () => {
    const flags = { selector: 'selector', monitorID: 'monitor', state: 'state' } as const
    const lists = Object.values(subjects).filter(({ filters }) => filters.includes('all'))
    for (const { operations = [], filters } of lists) {
      const { filters: known = [] }: v2.V2Operation = v2.operations[operations[0] as v2.OperationName]
      const offered = Object.values(flags).filter((flag) => filters.includes(flag))
      expect([operations[0], offered]).toEqual([operations[0], known.map((filter) => flags[filter])])
    }
    expect(lists.length).toBeGreaterThan(5)
  })

  it.each(Object.entries(oneByOne))(
    '%s is reached by pulseward %s without operations',
    async (name, line) => {
      const kind = name.replace(/^(Create|Replace)/, '') as v2.ResourceKind
      peer.requests.splice(0)
      peer.misbehave((response, answer) => {
        const { path, method } = peer.lastRequest
        const isMissing = name.startsWith('Create') && method === 'GET'
        const { status, headers, body } = path.startsWith('/api/v2/operations')
          ? problemAnswer(501, 'featureUnavailable')
          : isMissing
            ? problemAnswer(404, 'notFound')
            : answer
        response.writeHead(status, headers).end(body)
      })
      const { code, stderr } = await runInProcess([...line.split(' '), '--server', peer.url], {
        stdin: JSON.stringify(exchanges[`Get${kind}`].answer),
      })
      peer.misbehave(null)
      expect([code, stderr]).toEqual([0, ''])
      expectReached(name as v2.OperationName)
    },
  )

  it('ListMonitors is reached by pulseward export', async () => {
    peer.requests.splice(0)
    const { stdout } = await runInProcess(['export', '--server', peer.url])
    expect(stdout).toContain('monitors:\n')
    expectReached('ListMonitors')
  })

  function expectReached(name: v2.OperationName): void {
    const { method, path } = v2.operations[name]
    const pattern = new RegExp(`^${path.replace('{id}', '[^/]+')}$`)
    expect(peer.requests.some((request) => request.method === method && pattern.test(request.path))).toBe(
      true,
    )
  }

  it.each(Object.entries(lines))('%s is reached by pulseward %s', async (name, line) => {
    peer.requests.splice(0)
    const words = line.split(' ')
    const { code, stderr } = await runInProcess([...words, '--server', peer.url], {
      stdin: JSON.stringify(exchanges.GetNotificationGroup.answer),
    })
    expect([code, stderr]).toEqual([0, ''])
    expectReached(name as v2.OperationName)
    expect(operationsOf(words[0]!)).toContain(name)
  })
})
