// bench/probe-load.ts: a process that asks an exporter for probes as fast as it answers, over connections that are
// kept open. Prints how many it got when its time is over.
import { Agent, get } from 'node:http'

export interface ProbeLoad {
  readonly exporter: string
  readonly module: string
  readonly targets: readonly string[]
  readonly inFlight: number
  readonly seconds: number
}

export interface ProbeLoadResult {
  readonly succeeded: number
  readonly failed: number
}

const load: ProbeLoad = JSON.parse(process.argv[2]!)
const agent = new Agent({ keepAlive: true, maxSockets: load.inFlight })
const endMs = performance.now() + load.seconds * 1000
let succeeded = 0
let failed = 0

function probe(target: string): Promise<boolean> {
  const url = `${load.exporter}/probe?module=${load.module}&target=${encodeURIComponent(target)}`
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = ''
      response.setEncoding('latin1').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve(text.includes('\nprobe_success 1\n')))
    }).on('error', reject)
  })
}

async function keepAsking(first: number): Promise<void> {
  for (let number = first; performance.now() < endMs; number += load.inFlight) {
    if (await probe(load.targets[number % load.targets.length]!)) succeeded++
    else failed++
  }
}

await Promise.all(Array.from({ length: load.inFlight }, (_, first) => keepAsking(first)))
agent.destroy()
const result: ProbeLoadResult = { succeeded, failed }
process.stdout.write(`${JSON.stringify(result)}\n`)
process.stdin.resume().on('end', () => process.exit(0))
