// demo/stage.ts: sets up a demo: the targets in their thread, and a temporary folder with the fleet and room
// for the service's data. Closing removes everything; the folder is removed even if the program exits early.
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { fleetChunks, fleetHead, inboxUrl, type Ports } from './fleet.ts'
import type { World } from './life.ts'

export interface Stage {
  readonly fleetFolder: string
  readonly dataFolder: string
  readonly inboxUrl: string
  /** What the fleet refers to. */
  readonly ports: Ports
}

export async function setStage(world: World, owned: AsyncDisposableStack): Promise<Stage> {
  const ports = await startTargets(world, owned)
  const folder = temporaryFolder(owned)
  const stage = {
    fleetFolder: join(folder, 'fleet'),
    dataFolder: join(folder, 'data'),
    inboxUrl: inboxUrl(ports.inbox),
    ports,
  }
  mkdirSync(stage.fleetFolder)
  writeFileSync(join(stage.fleetFolder, 'fleet.yaml'), fleetHead(world, ports))
  const file = join(stage.fleetFolder, 'monitors.ndjson')
  for (const chunk of fleetChunks(world, ports)) appendFileSync(file, chunk)
  return stage
}

async function startTargets(world: World, owned: AsyncDisposableStack): Promise<Ports> {
  const thread = new Worker(new URL('targets-thread.ts', import.meta.url), {
    workerData: world,
    name: 'demo-targets',
  })
  owned.defer(async () => void (await thread.terminate()))
  // Later errors deliberately have no listener: a demo without targets ends instead of showing a dead fleet.
  const [ports] = (await once(thread, 'message')) as [Ports]
  return ports
}

function temporaryFolder(owned: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-demo-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // A second Ctrl+C or a crash skips all disposal.
  process.once('exit', remove)
  owned.defer(() => {
    process.off('exit', remove)
    remove()
  })
  return folder
}
