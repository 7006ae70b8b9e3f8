import { describe, expect, it } from 'vitest'
import { boundaries } from './boundaries.ts'
import { temporaryTree } from './temporary-tree.ts'

const manifest = (name: string) => JSON.stringify({ name, exports: { '.': './src/index.ts' } })

/** A house in which everything is allowed; each test puts one more file into it. */
const sound = {
  'packages/contract/package.json': manifest('@pulseward/contract'),
  'packages/contract/src/index.ts': 'export const limit = 1',
  'packages/testing/package.json': manifest('@pulseward/testing'),
  'packages/testing/src/index.ts': "export { app } from '@pulseward/server'",
  'packages/server/package.json': manifest('@pulseward/server'),
  'packages/server/src/index.ts': "export * from './app.ts'",
  'packages/server/src/app.ts': "import './store/log.ts'\nimport './api/server.ts'\nexport const app = 1",
  'packages/server/src/platform/clock.ts':
    'export const now = () => Date.now()\nexport type Clock = typeof now',
  'packages/server/src/platform/text.ts': 'export const lower = (text: string) => text.toLowerCase()',
  'packages/server/src/checks/driver.ts':
    "import type { Clock } from '../platform/clock.ts'\nexport type Check = Clock",
  'packages/server/src/checks/driver/outcomes.ts': "import type { Check } from '../driver.ts'",
  'packages/server/src/checks/http/http.ts':
    "import type { Check } from '../driver.ts'\nimport '../driver/outcomes.ts'\nimport './head.ts'",
  'packages/server/src/checks/http/http.test.ts': "import './http.ts'\nimport './peers.ts'",
  'packages/server/src/checks/http/peers.ts':
    "import '@pulseward/testing'\nimport { Type } from 'typebox'\nimport './stand-in.fixture.ts'",
  'packages/server/src/checks/http/stand-in.fixture.ts': "import '@pulseward/testing'",
  'packages/server/src/checks/http/head.ts':
    "import '../../platform/text.ts'\nimport 'node:net'\nimport type { Static } from 'typebox'",
  'packages/server/src/checks/registry.ts': "import './http/http.ts'",
  'packages/server/src/deciding/health/status.ts':
    "import { limit } from '@pulseward/contract'\nimport type { Clock } from '../../platform/clock.ts'\nimport { lower } from '../../platform/text.ts'\n// Date.now is only named in this comment",
  'packages/server/src/store/log.ts': "import type {} from '../deciding/health/status.ts'",
  'packages/server/src/store/sqlite/rows.ts': "import 'node:sqlite'\nimport type {} from '../log.ts'",
  'packages/server/src/api/server.ts': "import type { Server } from 'node:http'\nimport '../store/log.ts'",
  'packages/server/src/editions/next.ts':
    "import '../api/server.ts'\nimport '../store/sqlite/rows.ts'\nif (edition === 'next') app()",
  'packages/server/src/checking/probe/probe-pool.ts':
    "new Worker(new URL('./probe-thread.ts', import.meta.url))",
  'packages/server/src/checking/probe/probe-thread.ts':
    "import './probe-pool.ts'\nimport '../../checks/registry.ts'",
  'packages/server/src/deciding/health/status.test.ts':
    "import '@pulseward/testing'\nimport '../../api/server.ts'\nDate.now()",
}

async function problemsWith(files: Record<string, string>) {
  using tree = temporaryTree({ ...sound, ...files })
  return await boundaries.run(tree.root)
}

const inServer = (path: string, content: string) => ({ [`packages/server/src/${path}`]: content })

const broken: { rule: string; files: Record<string, string>; problem: string }[] = [
  {
    rule: 'platform importing a room',
    files: inServer('platform/bad.ts', "import '../deciding/health/status.ts'"),
    problem: 'platform/bad.ts:1 imports ../deciding/health/status.ts, but platform imports nothing of ours',
  },
  {
    rule: 'platform importing the contract',
    files: inServer('platform/bad.ts', "import '@pulseward/contract'"),
    problem: 'but platform imports nothing of ours',
  },
  {
    rule: 'a room importing a later one',
    files: inServer('fleet/bad.ts', "\nimport { x } from '../api/server.ts'"),
    problem:
      'fleet/bad.ts:2 imports ../api/server.ts, but fleet may import only platform, config, deciding/health',
  },
  {
    rule: 'a type import in the wrong direction',
    files: inServer('deciding/health/bad.ts', "import type { Log } from '../../store/log.ts'"),
    problem: 'but deciding/health may import only platform, checks',
  },
  {
    rule: 'an import type in the wrong direction',
    files: inServer('deciding/health/bad.ts', "type Log = import('../../store/log.ts').Log"),
    problem: 'but deciding/health may import only platform, checks',
  },
  {
    rule: 'a re-export in the wrong direction',
    files: inServer('fleet/bad.ts', "export * from '../store/log.ts'"),
    problem: 'but fleet may import only',
  },
  {
    rule: 'a dynamic import in the wrong direction',
    files: inServer('fleet/bad.ts', "await import('../store/log.ts')"),
    problem: 'but fleet may import only',
  },
  {
    rule: 'a thread started in the wrong direction',
    files: inServer(
      'fleet/bad.ts',
      "new Worker(new URL('../checking/probe/probe-thread.ts', import.meta.url))",
    ),
    problem: 'but fleet may import only',
  },
  {
    rule: 'a room that nobody named',
    files: inServer('helpers/bad.ts', ''),
    problem: 'helpers/bad.ts stands in a place that scripts/check/boundary-rules.ts does not name',
  },
  {
    rule: 'I/O in a pure room',
    files: inServer('deciding/health/bad.ts', "import { readFileSync } from 'node:fs'"),
    problem: 'deciding/health/bad.ts:1 imports node:fs, but deciding/health is pure',
  },
  {
    rule: 'the time in a pure room',
    files: inServer('deciding/health/bad.ts', 'export const at = 1\nconst now = Date.now()'),
    problem: 'deciding/health/bad.ts:2 uses Date.now, but deciding/health is pure',
  },
  {
    rule: 'a random id in a pure room',
    files: inServer('deciding/actions/bad.ts', "import { randomUUID } from 'node:crypto'"),
    problem: 'deciding/actions/bad.ts:1 uses randomUUID, but deciding/actions is pure',
  },
  {
    rule: 'a clock behind a helper of a pure room',
    files: inServer('deciding/health/bad.ts', "import { now } from '../../platform/clock.ts'"),
    problem:
      'deciding/health/bad.ts loads packages/server/src/platform/clock.ts:1, which uses Date.now, but deciding/health is pure',
  },
  {
    rule: 'SQLite outside of store',
    files: inServer('fleet/bad.ts', "import { DatabaseSync } from 'node:sqlite'"),
    problem: 'but only store/sqlite may import node:sqlite',
  },
  {
    rule: 'SQLite in the interface of the store',
    files: inServer('store/bad.ts', "import { DatabaseSync } from 'node:sqlite'"),
    problem: 'but only store/sqlite may import node:sqlite',
  },
  {
    rule: 'a room that knows the embedded store',
    files: inServer('bulk/bad.ts', "import { rows } from '../store/sqlite/rows.ts'"),
    problem: 'bulk/bad.ts:1 imports ../store/sqlite/rows.ts, but bulk may import only',
  },
  {
    rule: 'a type of the embedded store in the interface of the store',
    files: inServer('store/bad.ts', "import type { Row } from './sqlite/rows.ts'"),
    problem: 'store/bad.ts:1 imports ./sqlite/rows.ts, but store may import only',
  },
  {
    rule: 'SQLite in a worker outside of its journal',
    files: { 'packages/worker/src/poller.ts': "import { DatabaseSync } from 'node:sqlite'" },
    problem: 'but only store/sqlite may import node:sqlite',
  },
  {
    rule: 'a library that every thread would load',
    files: inServer('checks/http/bad.ts', "import { type Static, Type } from 'typebox'"),
    problem: 'but the server takes only types of it; platform/schema-type.ts has the rest',
  },
  {
    rule: 'an HTTP module that brings all that it exports',
    files: inServer('api/bad.ts', "import { type Server, createServer } from 'node:http'"),
    problem: 'but the server takes only types of it; platform/late-modules.ts has the rest',
  },
  {
    rule: 'an HTTP module that is loaded later',
    files: inServer('checks/http/bad.ts', "const { connect } = await import('node:http2')"),
    problem: 'imports node:http2, but the server takes only types of it',
  },
  {
    rule: 'an HTTP module as a whole',
    files: inServer('notify/slack/slack.ts', "import https from 'node:https'"),
    problem: 'imports node:https, but the server takes only types of it',
  },
  {
    rule: 'a driver importing another driver',
    files: inServer('checks/tcp/tcp.ts', "import '../http/head.ts'"),
    problem: 'but a driver may import only checks/driver.ts, checks/driver/, its own folder and platform',
  },
  {
    rule: 'a driver importing the contract',
    files: inServer('notify/slack/slack.ts', "import '@pulseward/contract'"),
    problem: 'but a driver may import only notify/driver.ts, notify/driver/, its own folder and platform',
  },
  {
    rule: 'a driver importing its registry from its own folder',
    files: inServer('checks/http/bad.ts', "import '../registry.ts'"),
    problem: 'but a driver may import only checks/driver.ts, checks/driver/, its own folder and platform',
  },
  {
    rule: 'a driver importing its peers',
    files: inServer('checks/http/bad.ts', "import './peers.ts'"),
    problem: 'but only tests may import test support (*.fixture.ts, and the peers.ts of a driver)',
  },
  {
    rule: 'production code importing a fixture',
    files: {
      ...inServer('store/bad.ts', "import type {} from './rows.fixture.ts'"),
      ...inServer('store/rows.fixture.ts', "import '@pulseward/testing'\nimport '../api/server.ts'"),
    },
    problem: 'but only tests may import test support (*.fixture.ts, and the peers.ts of a driver)',
  },
  {
    rule: 'test support without a mark',
    files: inServer('checks/http/stand-in.ts', "import '@pulseward/testing'"),
    problem: 'but package server may import only contract',
  },
  {
    rule: 'peers in a room without drivers',
    files: inServer('config/files/peers.ts', "import '@pulseward/testing'"),
    problem: 'but package server may import only contract',
  },
  {
    rule: 'a decision by the edition',
    files: inServer('api/bad.ts', "if (settings.edition === 'next') route()"),
    problem: 'api/bad.ts:1 decides by the edition',
  },
  {
    rule: 'a server that imports testing',
    files: inServer('config/bad.ts', "import '@pulseward/testing'"),
    problem: 'but package server may import only contract',
  },
  {
    rule: 'a contract that imports the server',
    files: { 'packages/contract/src/bad.ts': "import type { app } from '@pulseward/server'" },
    problem: 'but package contract may import only nothing of ours',
  },
  {
    rule: 'another package imported by path',
    files: { 'packages/testing/src/bad.ts': "import '../../server/src/app.ts'" },
    problem: 'but other packages are imported by their name',
  },
  {
    rule: 'another package that a test imports by path',
    files: inServer('config/bad.test.ts', "import '../../../testing/src/index.ts'"),
    problem: 'but other packages are imported by their name',
  },
  {
    rule: 'another package in which a fixture starts a thread by path',
    files: inServer(
      'config/bad.fixture.ts',
      "new Worker(new URL('../../../testing/src/index.ts', import.meta.url))",
    ),
    problem: 'but other packages are imported by their name',
  },
  {
    rule: 'a script that reaches into testing by path',
    files: { 'scripts/bad.ts': "import '../packages/testing/src/index.ts'" },
    problem: 'but other packages are imported by their name',
  },
  {
    rule: 'a package importing a script',
    files: {
      'scripts/tool.ts': '',
      ...inServer('config/bad.ts', "import '../../../../scripts/tool.ts'"),
    },
    problem: 'but a package may not import files outside of packages/',
  },
  {
    rule: 'a package that nobody named',
    files: { 'packages/helpers/src/bad.ts': '' },
    problem: 'stands in a place that scripts/check/boundary-rules.ts does not name',
  },
  {
    rule: 'a file that does not exist',
    files: { 'scripts/bad.ts': "import './gone.ts'" },
    problem: 'scripts/bad.ts:1 imports ./gone.ts, which does not exist or is not exported',
  },
  {
    rule: 'a file that its package does not export',
    files: { 'bench/bad.ts': "import '@pulseward/server/src/app.ts'" },
    problem: 'which does not exist or is not exported',
  },
  {
    rule: 'files that import each other',
    files: {
      ...inServer('checking/a.ts', "import './b.ts'"),
      ...inServer('checking/b.ts', "import type { A } from './c.ts'"),
      ...inServer('checking/c.ts', "export { b } from './a.ts'"),
    },
    problem:
      'import cycle: packages/server/src/checking/a.ts → packages/server/src/checking/b.ts → packages/server/src/checking/c.ts → packages/server/src/checking/a.ts',
  },
  {
    rule: 'tests that import each other',
    files: {
      ...inServer('checking/a.test.ts', "import './b.test.ts'"),
      ...inServer('checking/b.test.ts', "import './a.test.ts'"),
    },
    problem: 'import cycle: packages/server/src/checking/a.test.ts',
  },
]

describe('boundaries', () => {
  it('has nothing to say about a sound house', async () => {
    expect(await problemsWith({})).toEqual([])
  })

  it.each(broken)('refuses $rule', async ({ files, problem }) => {
    expect(await problemsWith(files)).toEqual([expect.stringContaining(problem)])
  })
})
