import { createServer } from 'node:net'
import { until } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { ChildProcesses } from './child-processes.ts'
import { type FleetShape, type Targets, writeFleet } from './fleet-file.ts'
import { watch } from './fleet-run.ts'
import { get, startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const shape: FleetShape = { monitors: 20, intervalSeconds: 1, type: 'tcp', deadPercent: 0, names: false }

/** Nothing listens there. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function undoneOf(live: (targets: Targets) => Promise<readonly number[]>): Promise<readonly string[]> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const targets = await children.helper<Targets>('fleet-targets.ts', ['2', '0'])
  const fleetFile = writeFleet(folder.path, shape, { ...targets, live: await live(targets) })
  const service = await startService(children, { fleetFile, edition: 'candidate', resolver: null })
  await until(async () => (await get(service.url, 'overview')).by_status.unknown === 0)
  return (await watch(service, shape, targets.control, 2)).undone
}

describe.concurrent('a run of the fleet benchmark', () => {
  it('finds nothing wrong with its checks when every one succeeds', async () => {
    const undone = await undoneOf(async ({ live }) => live)
    // Whether all of them were on time depends on the machine of the test.
    expect(undone.filter((sentence) => sentence.includes('succeeded'))).toEqual([])
  })

  it('finds its work undone when every check is refused', async () => {
    expect(await undoneOf(async () => [await closedPort()])).toContainEqual(
      expect.stringMatching(/^0 of \d+ checks succeeded/),
    )
  })
})
