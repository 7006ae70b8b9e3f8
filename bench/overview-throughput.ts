// bench/overview-throughput.ts: the cost of an overview compared with a bare node:http server that answers
// the same bytes: requests per second of CPU time, measured the same way in one run.
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { ask } from './ask.ts'
import type { ChildProcesses } from './child-processes.ts'
import { cpuSeconds } from './process-usage.ts'
import { startService } from './service-process.ts'

const connections = 32
const roundMs = 1_500
const rounds = 4

interface Contender {
  readonly pid: number
  readonly url: string
  requests: number
  cpuSeconds: number
}

export async function overviewThroughput(
  children: ChildProcesses,
  folder: string,
): Promise<Record<string, number>> {
  const own = join(folder, 'overview')
  mkdirSync(own)
  const fleetFile = join(own, 'fleet.yaml')
  writeFileSync(
    fleetFile,
    'version: 1\nmonitors:\n  - { name: quiet, check: { type: tcp, interval: 1h, config: { host: 127.0.0.1, port: 9 } } }\n',
  )
  const service = await startService(children, { fleetFile, edition: 'candidate', resolver: null })
  const url = `${service.url}/api/v1/overview`
  const bytes = await (await fetch(url)).text()
  const bare = await children.helper<{ pid: number; url: string }>('bare-server.ts', [bytes])
  const contenders: Contender[] = [
    { pid: service.pid, url, requests: 0, cpuSeconds: 0 },
    { ...bare, requests: 0, cpuSeconds: 0 },
  ]
  for (const contender of contenders) await round(contender, false)
  for (let turn = 0; turn < rounds; turn++) for (const contender of contenders) await round(contender, true)
  const [ours, theirs] = contenders.map(({ requests, cpuSeconds }) => requests / cpuSeconds)
  return {
    overview_per_cpu_second: ours!,
    bare_per_cpu_second: theirs!,
    overview_throughput_ratio: ours! / theirs!,
  }
}

async function round(contender: Contender, counts: boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const endMs = performance.now() + roundMs
  const before = cpuSeconds(contender.pid)
  let requests = 0
  const client = async () => {
    while (performance.now() < endMs) {
      await ask(agent, contender.url)
      requests++
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  if (!counts) return
  contender.requests += requests
  contender.cpuSeconds += cpuSeconds(contender.pid) - before
}
