// scripts/build-chart-tools.ts: `node scripts/build-chart-tools.ts FILE` builds the programs that validate
// the Helm chart and writes their paths to the file, or why they are not available. A separate process, so
// that the minutes of building overlap with the rest of `npm run test:packages`.
import { renameSync, writeFileSync } from 'node:fs'
import { runCommand } from './command-line/command.ts'
import { buildTools, helm, kubeconform } from './deploy/build-tool.ts'

const about = 'Builds Helm and kubeconform by Go, and writes their paths to the file.'
const words = { usage: 'FILE', least: 1, most: 1 }
await runCommand(
  { call: 'node scripts/build-chart-tools.ts', about, flags: {}, words },
  async (_values, [file = '']) => {
    const tools = await buildTools(helm, kubeconform)
    // Renamed into place, so that a reader never sees half a file.
    writeFileSync(`${file}.new`, JSON.stringify(tools))
    renameSync(`${file}.new`, file)
  },
)
