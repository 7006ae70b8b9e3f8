// scripts/test-generators.ts: `npm run test:generators` has clients made by generators that others use, from the document
// that the running service serves, and lets them create, patch and delete a monitor (*.generators.test.ts, which `npm test`
// skips). The generators are fetched into a temporary folder; one that is not to be had is skipped and counted.
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
await runCommand({ call: 'npm run test:generators --', about, flags: {} }, testGenerators)
