// scripts/test-packages.ts: `npm run test:packages` makes the packages as they are published, prints their
// sizes, and uses them as users would (*.packages.test.ts, which `npm test` skips). Needs the npm registry.
// The tests find the archives in the folder that PULSEWARD_PACKAGES names.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { BuildError } from './build-dashboard.ts'
import { runCommand } from './command-line/command.ts'
import { PackError, packPackages } from './packages/pack-packages.ts'
import { sizeTable } from './packages/size-table.ts'

const root = join(import.meta.dirname, '..')

async function testPackages(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-packages-'))
  const chartTools = join(folder, 'chart-tools.json')
  try {
    const builder = spawn(process.execPath, [join(root, 'scripts/build-chart-tools.ts'), chartTools], {
      stdio: 'ignore',
    })
    using _ = { [Symbol.dispose]: () => builder.kill() }
    process.stdout.write(sizeTable(await packPackages(folder)))
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    // One more than usual: one of them may wait for the builder.
    const workers = `--maxWorkers=${availableParallelism() + 1}`
    const { status } = spawnSync(process.execPath, [vitest, 'run', workers, '.packages.test.ts'], {
      cwd: root,
      env: { ...process.env, PULSEWARD_PACKAGES: folder, PULSEWARD_CHART_TOOLS: chartTools },
      stdio: 'inherit',
    })
    process.exitCode = status ?? 1
  } catch (error) {
    if (!(error instanceof PackError || error instanceof BuildError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const about =
  'Packs what is published, installs it into empty folders and uses it on every supported Node.js.'
await runCommand({ call: 'npm run test:packages --', about, flags: {} }, testPackages)
