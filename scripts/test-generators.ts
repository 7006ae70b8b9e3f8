// scripts/test-generators.ts: `npm run tool -- generators` generates clients with third-party tools from the document
// that the running service serves, and has them create, patch and delete a monitor (*.generators.test.ts, which `npm
// test` skips). The tools are downloaded into a temporary folder; unavailable ones are skipped and counted.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'

const root = join(import.meta.dirname, '..')

function testGenerators(): void {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', '.generators.test.ts'], {
    cwd: root,
    env: { ...process.env, PULSEWARD_GENERATORS: '1' },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}

const about =
  'Makes clients from the served OpenAPI document by openapi-typescript, oapi-codegen and openapi-python-client, and uses them.'
await runCommand({ call: 'npm run tool -- generators', about, flags: {} }, testGenerators)
