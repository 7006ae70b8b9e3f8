// scripts/pack.ts: `npm run tool -- packages FOLDER` writes the archives of the published packages into the
// folder and prints their sizes. Nothing is published.
import { BuildError } from './build-dashboard.ts'
import { runCommand } from './command-line/command.ts'
import { PackError, packPackages } from './packages/pack-packages.ts'
import { sizeTable } from './packages/size-table.ts'

const about =
  'Writes the packages as npm would publish them into the folder, and prints a table of their sizes.'
const words = { usage: 'FOLDER', least: 1, most: 1 }
await runCommand(
  { call: 'npm run tool -- packages', about, flags: {}, words },
  async (_values, [folder = '']) => {
    try {
      process.stdout.write(sizeTable(await packPackages(folder)))
    } catch (error) {
      if (!(error instanceof PackError || error instanceof BuildError)) throw error
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 1
    }
  },
)
