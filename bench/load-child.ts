// bench/load-child.ts: loads one path and prints the cost.
import { driverShapes, loadFleet } from '@pulseward/server'

const started = performance.now()
const { definition } = await loadFleet({
  paths: [process.argv[2]!],
  drivers: driverShapes,
  allowEmpty: false,
  environment: {},
})
const seconds = (performance.now() - started) / 1000
const peak = process.resourceUsage().maxRSS * 1024
process.stdout.write(JSON.stringify({ monitors: definition.count, seconds, peak_rss_bytes: peak }))
