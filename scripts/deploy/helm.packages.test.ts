// The Helm chart, judged by Helm and by kubeconform, which are built by Go: `npm run test:packages`. Defects that are planted
// in copies of the chart show that each check can fail.
import { chmodSync, readFileSync } from 'node:fs'
import { describeUnless, eventually, temporaryFolder } from '@pulseward/testing'
import { runCommand } from '@pulseward/testing/process'
import { recoverOnce } from '@pulseward/testing/recovery'
import { postgresql, startPostgresql } from '@pulseward/testing/servers'
import { answers, answersBy, HttpTarget, type OrdinaryAnswer, readRequest } from '@pulseward/testing/targets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { kubernetes } from '../../packages/server/src/recovery/kubernetes/kubernetes.ts'
import { kubeconfigOf } from '../../packages/server/src/recovery/kubernetes/peers.ts'
import { toolsBeingBuilt } from './build-tool.ts'
import { chartDefects, type Defect } from './chart-defects.ts'
import { everythingOn, nothingGiven, refusals, token, twoReplicas } from './chart-values.fixture.ts'
import { type ChartTools, HelmChart } from './helm-chart.ts'
import { problemsOf } from './manifest-rules.ts'
import { ofKind } from './manifests.ts'
import { PodAsProcess } from './pod-as-process.ts'

const notWanted = 'they need Helm and kubeconform, which Go builds: npm run test:packages'
const built = (await toolsBeingBuilt()) ?? { missing: notWanted }
const [helmPath = '', kubeconformPath = ''] = 'paths' in built ? built.paths : []
const tools: ChartTools = { helm: helmPath, kubeconform: kubeconformPath }

const examples = [
  ['no values', nothingGiven],
  ['everything on', everythingOn],
  ['two replicas', twoReplicas],
  [
    'Secrets and ConfigMaps of others',
    {
      values: { token: { existingSecret: 'mine', key: 'api' }, fleet: { existingConfigMap: 'fleet' } },
      given: { existing: ['mine', 'fleet'], secrets: [] },
    },
  ],
  [
    'nothing kept, nothing allowed, and a fleet in a Secret',
    {
      values: {
        persistence: { enabled: false },
        networkPolicy: { enabled: false },
        icmp: { enabled: false },
        fleet: { existingSecret: 'fleet' },
        listenAddress: '::',
        replicas: 0,
      },
      given: { existing: ['fleet'], secrets: [] },
    },
  ],
] as const

const standsBy = /"listen":"([^"]+)".*"this process stands by/

/** The refusals that do not come, or say something else, or quote a secret. */
function missedRefusals(chart: HelmChart): string[] {
  return Object.entries(refusals).flatMap(([name, { values, says }]) => {
    const { status, stdout, stderr } = chart.template(values)
    const isRefused = status === 1 && stdout === '' && says.every((words) => stderr.includes(words))
    return isRefused && !/short-secret/.test(stderr) && !stderr.includes(token) ? [] : [name]
  })
}

/** What the recovery asks of an API server, as rules of RBAC name it: namespace, verb, resource and name. */
async function rightsThatRecoveryNeeds(workloads: readonly Workload[]): Promise<string[]> {
  await using server = await HttpTarget.start()
  server.behave(answers({ body: '{}' }))
  using folder = temporaryFolder()
  const kubeconfig = folder.write('kubeconfig', kubeconfigOf({ server: server.url('') }))
  for (const { actions = ['restart'], ...workload } of workloads)
    for (const action of actions) {
      const replicas = action === 'scale' ? { replicas: 1 } : {}
      const config = { ...workload, action, ...replicas, kubeconfig }
      expect(await recoverOnce(kubernetes, config, { allowLoopback: true })).toEqual({ kind: 'accepted' })
    }
  return server.requests.map((request) => {
    const { method, path } = readRequest(request)
    const [, group, namespace, resource, name, part = ''] =
      /^\/apis\/(\w+)\/v1\/namespaces\/([^/]+)\/([^/]+)\/([^/?]+)(\/scale)?\?/.exec(path) ?? []
    return [namespace, group, method.toLowerCase(), `${resource}${part}`, name].join(' ')
  })
}

/** An API server that has one kind, and at most one object of it. */
function answerOfCluster(path: string, data: object | null): OrdinaryAnswer {
  const json = (status: number, body: object) => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (/^\/api\/v1(\?|$)/.test(path)) {
    const resources = [{ name: 'secrets', kind: 'Secret', namespaced: true, verbs: ['get'] }]
    return json(200, { kind: 'APIResourceList', groupVersion: 'v1', resources })
  }
  const isSecret = path === '/api/v1/namespaces/monitoring/secrets/home-pulseward-token'
  if (isSecret && data !== null) return json(200, { apiVersion: 'v1', kind: 'Secret', metadata: {}, data })
  return json(404, { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 })
}

interface Workload {
  readonly actions?: readonly string[]
}

/** Whether the check that is to notice a defect does. */
function isNoticed(chart: HelmChart, noticedBy: Defect['noticedBy']): boolean {
  const all = [nothingGiven, everythingOn, twoReplicas]
  switch (noticedBy) {
    case 'lint':
      return all.some(({ values }) => chart.lint(values).status !== 0)
    case 'kubeconform':
      return all.some(({ values }) => chart.validate(values).status !== 0)
    case 'refusals':
      return missedRefusals(chart).length > 0
    default:
      return all.some(
        ({ values, given }) => problemsOf(chart.manifests(values), given)[noticedBy] !== undefined,
      )
  }
}

describeUnless('missing' in built ? built.missing : null, 'the Helm chart', () => {
  describe.each(examples)('with %s', (_, { values, given }) => {
    it('is accepted by helm lint', () => {
      using chart = HelmChart.inPlace(tools)
      expect(chart.lint(values)).toMatchObject({ status: 0 })
    })

    it('makes objects that the API of Kubernetes knows', () => {
      using chart = HelmChart.inPlace(tools)
      const { status, stdout } = chart.validate(values)
      expect(status, stdout).toBe(0)
      const [, valid = ''] = /Valid: (\d+), Invalid: 0, Errors: 0, Skipped: 0/.exec(stdout) ?? []
      expect(Number(valid)).toBe(chart.manifests(values).length)
    })

    it('keeps every rule', () => {
      using chart = HelmChart.inPlace(tools)
      expect(problemsOf(chart.manifests(values), given)).toEqual({})
    })
  })

  it('makes objects of every kind that it can make', () => {
    using chart = HelmChart.inPlace(tools)
    const made = [everythingOn, twoReplicas].flatMap(({ values }) => chart.manifests(values))
    const kinds = new Set(made.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual([
      'ConfigMap',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PrometheusRule',
      'Role',
      'RoleBinding',
      'Secret',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
      'StatefulSet',
    ])
  })

  it('refuses wrong values with a clear sentence, with exit code 1, and renders nothing', () => {
    using chart = HelmChart.inPlace(tools)
    expect(missedRefusals(chart)).toEqual([])
  })

  it('grants the kubernetes recovery exactly what it asks for', async () => {
    using chart = HelmChart.inPlace(tools)
    const { workloads } = everythingOn.values.kubernetesRecovery
    const granted = ofKind(chart.manifests(everythingOn.values), 'Role').flatMap(({ metadata, rules = [] }) =>
      rules.flatMap(({ apiGroups, verbs, resources, resourceNames = [] }) =>
        resourceNames.map((name) =>
          [metadata.namespace, ...apiGroups, ...verbs, ...resources, name].join(' '),
        ),
      ),
    )
    expect(granted.sort()).toEqual((await rightsThatRecoveryNeeds(workloads)).sort())
  })

  it('keeps the token that it made up, and makes one up where there is none', async () => {
    using chart = HelmChart.inPlace(tools)
    await using cluster = await HttpTarget.start()
    const tokenIn = async (secret: object | null) => {
      cluster.behave(answersBy((request) => answerOfCluster(readRequest(request).path, secret)))
      const manifests = await chart.manifestsInCluster({}, cluster.url(''))
      return Buffer.from(ofKind(manifests, 'Secret')[0]!.data!['token']!, 'base64').toString('utf8')
    }
    expect(await tokenIn({ token: Buffer.from(token).toString('base64') })).toBe(token)
    const made = await tokenIn(null)
    expect(made).toMatch(/^[A-Za-z0-9]{48}$/)
    expect(await tokenIn(null)).not.toBe(made)
  })

  it('starts a service that its probes find ready, and that reloads a changed ConfigMap', async () => {
    using chart = HelmChart.inPlace(tools)
    const pod = await PodAsProcess.start(chart.manifests(everythingOn.values))
    onTestFinished(() => pod[Symbol.asyncDispose]())
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
      await eventually(async () => expect(await pod.probe(probe)).toMatchObject({ code: 0 }))
    expect(await pod.probe('livenessProbe', { PULSEWARD_TOKEN: 'some-other-token-000000' })).toMatchObject({
      code: 3,
    })
    expect(await pod.run('get', 'monitors')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The service itself'),
    })
    pod.changeFleet((file) => file.replace('The service itself', 'By another name'))
    await eventually(async () =>
      expect((await pod.run('get', 'monitors')).stdout).toContain('By another name'),
    )
    expect(await pod.stop()).toMatchObject({ code: 0, signal: null })
  })

  it('could not name the folder of the fleet itself, whose files are links', async () => {
    using chart = HelmChart.copyWith(tools, 'templates/statefulset.yaml', '/fleet/..data', '/fleet')
    const manifests = chart.manifests(everythingOn.values)
    await expect(PodAsProcess.start(manifests)).rejects.toThrow('has no .yaml, .yml, .json or .ndjson file')
  })

  it('starts a service without a fleet when no values are given', async () => {
    using chart = HelmChart.inPlace(tools)
    const pod = await PodAsProcess.start(chart.manifests({}))
    onTestFinished(() => pod[Symbol.asyncDispose]())
    await eventually(async () => expect(await pod.probe('readinessProbe')).toMatchObject({ code: 0 }))
    const { stdout, stderr } = await pod.stop()
    expect(stdout + stderr).not.toMatch(/"level":"(warn|error)"/)
  })

  it.each(
    chartDefects.map((defect) => [defect.noticedBy, defect.file, defect.to || 'nothing', defect] as const),
  )('is caught by %s where %s has %j', (noticedBy, file, _, { from, to }) => {
    using chart = HelmChart.copyWith(tools, file, from, to)
    expect(isNoticed(chart, noticedBy)).toBe(true)
  })
})

const postgresProgram = postgresql.find()
const whyNoPods = 'missing' in built ? built.missing : null
const noPostgres = postgresProgram === null ? 'they need PostgreSQL: npm run test:servers installs it' : null

describeUnless(whyNoPods ?? noPostgres, 'two pods of the Helm chart', () => {
  it('share a store: the active one alone is ready, and hands over when it is deleted', async () => {
    using chart = HelmChart.inPlace(tools)
    await using server = await startPostgresql(postgresProgram!)
    using files = temporaryFolder()
    expect(await runCommand(['credentials', 'create-key', files.path('credentials.key')])).toMatchObject({
      code: 0,
    })
    const made = await runCommand(['token', 'create', 'ada', '--role', 'operator', '--data', files.root])
    expect(made).toMatchObject({ code: 0 })
    const manifests = chart.manifests(twoReplicas.values)
    const shared = Object.fromEntries(
      ['credentials.key', 'principals.json'].map((name) => [name, readFileSync(files.path(name), 'utf8')]),
    )
    const surroundings = {
      secrets: { db: { word: server.password }, alike: shared },
      environment: { PULSEWARD_STORE: `postgres://${server.user}@127.0.0.1:${server.port}/postgres` },
    }
    const first = await PodAsProcess.start(manifests, surroundings)
    onTestFinished(() => first[Symbol.asyncDispose]())
    await eventually(async () => expect(await first.probe('readinessProbe')).toMatchObject({ code: 0 }))
    const second = await PodAsProcess.start(manifests, { ...surroundings, until: standsBy })
    onTestFinished(() => second[Symbol.asyncDispose]())
    expect(await second.probe('startupProbe')).toMatchObject({ code: 0 })
    expect(await second.probe('livenessProbe')).toMatchObject({ code: 0 })
    expect(await second.probe('readinessProbe')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('This process stands by for the active one.'),
    })
    expect(await first.stop()).toMatchObject({ code: 0 })
    await eventually(async () => expect(await second.probe('readinessProbe')).toMatchObject({ code: 0 }))
    const tokenFile = files.write('ada.token', made.stdout)
    chmodSync(tokenFile, 0o600)
    const asAda = ['--token-file', tokenFile]
    expect(await second.run('get', 'endpoints', ...asAda)).toMatchObject({ code: 0 })
  })
})
