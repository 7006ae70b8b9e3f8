// scripts/build.ts: `npm run build` makes what a checkout does not contain: the dashboard and the bundles of the service.
import { BuildError, buildDashboard } from './build-dashboard.ts'
import { buildService } from './build-service.ts'
import { runCommand } from './command-line/command.ts'

const about = 'Builds the dashboard and bundles the service when their sources are newer than what was built.'
await runCommand({ call: 'npm run build --', about, flags: {} }, async () => {
  try {
    buildDashboard()
    await buildService()
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
})
