// scripts/build-chart-tools.ts: `node scripts/build-chart-tools.ts FILE` builds the programs that judge the Helm chart and writes
// to the file where they are, or why they cannot be had. A process of its own, so that minutes of building go on beside
// everything else that `npm run test:packages` does.
import { renameSync, writeFileSync } from 'node:fs'
import { runCommand } from './command-line/command.ts'
import { buildTools, helm, kubeconform } from './deploy/build-tool.ts'

const about = 'Builds Helm and kubeconform by Go, and writes their paths to the file.'
const words = { usage: 'FILE', least: 1, most: 1 }
await runCommand(
  { call: 'node scripts/build-chart-tools.ts', about, flags: {}, words },
  async (_values, [file = '']) => {
    const tools = await buildTools(helm, kubeconform)
    // Whoever waits for the file finds it whole.
    writeFileSync(`${file}.new`, JSON.stringify(tools))
    renameSync(`${file}.new`, file)
  },
)
