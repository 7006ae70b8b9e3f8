// bench/process-usage.ts: the resource usage of a process according to the kernel, all its threads together.
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

export function peakRssBytes(pid: number): number {
  const match = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(match?.[1]) * 1024
}

export function rssBytes(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(match?.[1]) * 1024
}

/** Of its main thread alone, which is the controller. */
export function mainThreadCpuSeconds(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e9
}

/** How often each thread went to sleep, and so was woken up again; by the thread's name, threads of one name together. */
export function sleepsByThread(pid: number): Map<string, number> {
  const sleeps = new Map<string, number>()
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8')
    const name = /^Name:\s+(.*)$/m.exec(status)![1]!
    const count = Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)![1])
    sleeps.set(name, (sleeps.get(name) ?? 0) + count)
  }
  return sleeps
}

/** The resident pages of mapped files: its program and libraries. */
export function fileBytes(pid: number): number {
  const match = /^RssFile:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(match?.[1]) * 1024
}
