// platform/network/ping-command.ts: one echo request by the system's ping command, for machines on which this
// process cannot open an ICMP socket. It costs one process per ping, so it is the fallback. The address is a
// literal that the policy admits; it is passed as an argument, never through a shell.
import { spawn } from 'node:child_process'
import { type Abandon, ConnectError } from './network.ts'

const MAX_OUTPUT_CHARACTERS = 4_096
/** Any other exit code is about ping itself (usage, permission) and says nothing about the host. */
const NO_REPLY_EXIT_CODE = process.platform === 'darwin' ? 2 : 1

/** The round trip, or null for no answer; rejects with code UNSUPPORTED if there is no usable ping command. */
export function pingByCommand(address: string, timeoutMs: number, abandon?: Abandon): Promise<number | null> {
  if (process.platform === 'win32') return Promise.reject(noPing('its ping command is not understood'))
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn('ping', pingArguments(address, timeoutMs), {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    })
    let output = ''
    const stop = (): void => void child.kill('SIGKILL')
    const timer = setTimeout(stop, timeoutMs)
    const cleanUp = (): void => {
      clearTimeout(timer)
      if (abandon !== undefined) abandon.onStop = undefined
    }
    if (abandon !== undefined) abandon.onStop = stop
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      if (output.length < MAX_OUTPUT_CHARACTERS) output += text
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      cleanUp()
      reject(
        noPing(error.code === 'ENOENT' ? 'there is no ping command' : `ping cannot be run (${error.code})`),
      )
    })
    child.once('close', (exitCode) => {
      cleanUp()
      if (exitCode === 0) resolve(roundTripMs(output, performance.now() - started))
      else if (exitCode === null || exitCode === NO_REPLY_EXIT_CODE) resolve(null)
      else reject(noPing(`ping ended with exit code ${exitCode}`))
    })
  })
}

function pingArguments(address: string, timeoutMs: number): string[] {
  const family = address.includes(':') ? ['-6'] : []
  const wait = process.platform === 'darwin' ? timeoutMs : Math.max(1, Math.ceil(timeoutMs / 1_000))
  return ['-n', '-c', '1', '-W', String(wait), ...family, address]
}

function roundTripMs(output: string, elapsedMs: number): number {
  const time = /time[=<]([0-9]+(?:\.[0-9]+)?) ?ms/.exec(output)?.[1]
  return time === undefined ? elapsedMs : Number(time)
}

function noPing(why: string): ConnectError {
  const noSocket = 'no ICMP socket may be opened (net.ipv4.ping_group_range or CAP_NET_RAW)'
  return new ConnectError('UNSUPPORTED', `this machine gives no way to ping: ${noSocket} and ${why}`, 'local')
}
