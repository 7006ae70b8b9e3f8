// worker-project/project-files.ts: the files of a new worker project: a check that opens a TCP connection,
// which runs, is typed and has a test. Meant to be changed; everything in it is named after the job type.
import packageJson from '../../package.json' with { type: 'json' }

/** By path relative to the project folder. */
export function projectFiles(name: string): Readonly<Record<string, string>> {
  return {
    'package.json': `${JSON.stringify(manifest(name), null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(compilerOptions, null, 2)}\n`,
    '.gitignore': 'node_modules/\nworker.journal*\n*.token\n',
    'check-node.js': checkNodeSource,
    'job-type.json': `${JSON.stringify(jobTypeDocument(name), null, 2)}\n`,
    'src/job-type.ts': jobTypeSource(name),
    'src/handler.ts': handlerSource,
    'src/worker.ts': workerSource(name),
    'src/handler.test.ts': testSource,
    'README.md': readme(name),
  }
}

function manifest(name: string) {
  return {
    name: `${packageName(name)}-worker`,
    private: true,
    version: '0.1.0',
    type: 'module',
    engines: { node: `>=${oldestMajor}` },
    scripts: {
      // Each begins with a sentence on a Node.js that cannot run it.
      preinstall: 'node check-node.js',
      start: 'node check-node.js && node src/worker.ts',
      test: 'node check-node.js && node --test src/*.test.ts',
      types: 'tsc',
      'job-type': 'node check-node.js && node src/job-type.ts > job-type.json',
    },
    // All packages share one version.
    dependencies: { '@pulseward/worker': packageJson.version },
    devDependencies: { '@types/node': '>=24', typescript: '>=5.8' },
  }
}

/** The first Node.js that runs TypeScript as it is. */
const oldestMajor = 24

/** Runs on every Node.js. */
const checkNodeSource = `// Ends with a sentence on a Node.js that cannot run this project: it runs TypeScript as it is.
const [major] = process.versions.node.split('.')
if (Number(major) < ${oldestMajor}) {
  console.error(
    \`This worker needs Node.js ${oldestMajor} or newer, and this is Node.js \${process.versions.node}. Install a newer one, then try again.\`,
  )
  process.exit(1)
}
`

/** A valid npm package name for an id that may contain other characters. */
function packageName(name: string): string {
  return name.toLowerCase().replaceAll(':', '-').slice(0, 200)
}

const compilerOptions = {
  compilerOptions: {
    target: 'esnext',
    module: 'nodenext',
    noEmit: true,
    strict: true,
    types: ['node'],
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
  },
  include: ['src'],
}

const spec = {
  version: '1',
  kind: 'check',
  timeout: '30s',
  parameterSchema: {
    type: 'object',
    required: ['host', 'port'],
    properties: {
      host: { type: 'string', minLength: 1 },
      port: { type: 'integer', minimum: 1, maximum: 65_535 },
    },
    additionalProperties: false,
  },
  resultSchema: {
    type: 'object',
    required: ['latencyMs'],
    properties: { latencyMs: { type: 'number' } },
  },
}

function jobTypeDocument(id: string) {
  return {
    apiVersion: 'pulseward/v2',
    kind: 'JobType',
    metadata: { id },
    spec: { handler: id, protocolVersion: '1', ...spec },
  }
}

function jobTypeSource(name: string): string {
  return `// What the job gets and gives. \`npm run job-type\` writes job-type.json from it, which \`pulseward apply\` takes.
// A version never changes: give what you change another one, here and in worker.ts.
import { jobType } from '@pulseward/worker'

export const document = jobType({
  id: '${name}',
  version: '1',
  kind: 'check',
  timeout: '30s',
  parameterSchema: {
    type: 'object',
    required: ['host', 'port'],
    properties: {
      host: { type: 'string', minLength: 1 },
      port: { type: 'integer', minimum: 1, maximum: 65535 },
    },
    additionalProperties: false,
  },
  resultSchema: {
    type: 'object',
    required: ['latencyMs'],
    properties: { latencyMs: { type: 'number' } },
  },
})

if (import.meta.main) console.log(JSON.stringify(document, null, 2))
`
}

const handlerSource = `// What the worker does for each job: opens a TCP connection and says how long that took.
import { once } from 'node:events'
import { connect } from 'node:net'
import { check, failure, success } from '@pulseward/worker'
import { document } from './job-type.ts'

export const handler = check(document.spec, async (job, { signal }) => {
  const { host, port } = job.parameters
  const startedAt = performance.now()
  const socket = connect({ host, port })
  try {
    await once(socket, 'connect', { signal })
    return success({ latencyMs: performance.now() - startedAt })
  } catch (error) {
    // Cancelled: nothing is known about the target.
    if (signal.aborted) throw error
    return failure(\`\${host}:\${port} cannot be reached: \${error instanceof Error ? error.message : error}\`)
  } finally {
    socket.destroy()
  }
})
`

function workerSource(name: string): string {
  return `// The worker: takes jobs from the service and reports what the handler says.
import { createWorker } from '@pulseward/worker'
import { handler } from './handler.ts'

const { PULSEWARD_URL: server = '', PULSEWARD_TOKEN: token = '' } = process.env
const { WORKER_JOURNAL: journal = 'worker.journal', WORKER_HEALTH_PORT: port } = process.env

const worker = createWorker({
  server,
  token,
  journal,
  handlers: { '${name}@1': handler },
  ...(port === undefined ? {} : { health: { port: Number(port) } }),
})
await worker.start()
`
}

const testSource = `import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { handler } from './handler.ts'
import { document } from './job-type.ts'

/** A job as the service gives it. */
const run = (port: number) => {
  const job = {
    executionID: 'execution',
    monitorID: 'monitor',
    incarnationUID: 'uid',
    jobTypeID: document.metadata.id,
    version: document.spec.version,
    kind: document.spec.kind,
    parameters: { host: '127.0.0.1', port } as never,
    credentialProfile: '',
  }
  return handler.run(job, { signal: AbortSignal.timeout(5_000), credential: '', remainingMs: () => 5_000 })
}

test('a port that accepts connections is a success, and a closed one a failure', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const up = await run(port)
  assert.equal(up.status, 'success')
  server.close()
  await once(server, 'close')
  const down = await run(port)
  assert.equal(down.status, 'failure')
})

test('job-type.json is what job-type.ts says; npm run job-type writes it', async () => {
  const written = JSON.parse(await readFile(new URL('../job-type.json', import.meta.url), 'utf8'))
  assert.deepEqual(written, JSON.parse(JSON.stringify(document)))
})
`

function readme(name: string): string {
  return `# ${name}

A worker for Pulseward: it runs the job type \`${name}\` where the service cannot go. It needs Node.js ${oldestMajor} or newer.

\`\`\`sh
npm install
npm test
pulseward apply -f job-type.json
(umask 077; pulseward token create ${name}-worker --role worker --job-type ${name} > worker.token)
PULSEWARD_URL=https://pulseward.example PULSEWARD_TOKEN=$(cat worker.token) npm start
\`\`\`

\`npm install\` takes \`@pulseward/worker\` ${packageJson.version} from the npm registry. If npm says that it is not there (404), this
version is not released: make its packages in a checkout of Pulseward with \`npm run tool -- packages FOLDER\`, and install
them here with \`npm install FOLDER/pulseward-client-*.tgz FOLDER/pulseward-worker-*.tgz\`.

A monitor uses it by its name:

\`\`\`yaml
apiVersion: pulseward/v2
kind: Monitor
metadata: { id: ${name}-example }
spec:
  check:
    interval: 30s
    timeout: 10s
    driver:
      type: ${name}
      config: { host: db.internal, port: 5432 }
\`\`\`

- \`src/job-type.ts\`: what a job gets and gives; \`npm run job-type\` writes \`job-type.json\` from it.
- \`src/handler.ts\`: what is done for a job. \`src/handler.test.ts\` tests it without a service.
- \`src/worker.ts\`: the program. \`WORKER_JOURNAL\` names its journal, \`WORKER_HEALTH_PORT\` opens \`/live\` and \`/ready\`.

Give every worker a journal of its own, on a disk that stays: it is what keeps a job from running twice and a result from
getting lost.
`
}
