// checks/docker/inspect.ts: asks a Docker engine about one container, over a connected socket. Reads a
// bounded answer and takes from it only what the check needs; nothing that the engine says is quoted.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { http } from '../../platform/late-modules.ts'
import { describeBrokenConnection, isReset, isSystemError } from '../../platform/network/connect-errors.ts'
import { CheckFailure, type CheckRun, deadlinePassed } from '../driver.ts'

const MOST_ANSWER_BYTES = 1024 * 1024

export interface ContainerState {
  /** As the engine calls it: created, running, paused, restarting, exited, removing or dead. */
  readonly status: string
  /** starting, healthy or unhealthy; null for a container without a health check. */
  readonly health: string | null
  readonly exitCode: number
  readonly isOutOfMemory: boolean
}

/** Null if there is no such container. */
export async function inspectContainer(
  socket: Socket,
  container: string,
  engine: string,
  run: CheckRun,
): Promise<ContainerState | null> {
  const { status, body } = await get(socket, `/containers/${encodeURIComponent(container)}/json`, engine, run)
  if (status === 404) return null
  if (status === 401 || status === 403)
    throw new CheckFailure(`the login was refused by ${engine} (status ${status})`)
  if (status !== 200) throw new CheckFailure(`${engine} answers with status ${status}`)
  const state = stateIn(body)
  if (state === null) throw new CheckFailure(`the answer of ${engine} is not the one of a Docker engine`)
  return state
}

function get(
  socket: Socket,
  path: string,
  engine: string,
  run: CheckRun,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = http.request({
      createConnection: () => socket,
      path,
      headers: { host: 'docker', accept: 'application/json', connection: 'close' },
    })
    const fail = (error: Error): void => {
      run.onStop = undefined
      reject(error)
    }
    asked.on('error', (error) => fail(broken(error, engine, 'before its answer')))
    asked.on('response', (response) => {
      collect(response, engine).then((body) => {
        run.onStop = undefined
        resolve({ status: response.statusCode ?? 0, body })
      }, fail)
    })
    const stop = (): void => fail(deadlinePassed(`no answer from ${engine}`))
    run.onStop = stop
    asked.end()
  })
}

function collect(response: IncomingMessage, engine: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    response.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > MOST_ANSWER_BYTES) reject(new CheckFailure(`the answer of ${engine} is longer than 1 MiB`))
      else pieces.push(piece)
    })
    response.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')))
    response.on('error', (error) => reject(broken(error, engine, 'in the middle of its answer')))
  })
}

function broken(error: NodeJS.ErrnoException, engine: string, when: string): Error {
  const { code = '' } = error
  if (code.startsWith('HPE_')) return new CheckFailure(`${engine} does not speak HTTP`)
  // Node also reports a reset when the other side just closed the connection.
  if (isSystemError(code) && !isReset(code)) return describeBrokenConnection(error, engine)
  return new CheckFailure(`${engine} closed the connection ${when}`)
}

function stateIn(body: string): ContainerState | null {
  let inspected: {
    State?: { Status?: unknown; ExitCode?: unknown; OOMKilled?: unknown; Health?: { Status?: unknown } }
  }
  try {
    inspected = JSON.parse(body)
  } catch {
    return null
  }
  const state = inspected?.State
  if (typeof state?.Status !== 'string') return null
  const health = state.Health?.Status
  return {
    status: state.Status,
    health: typeof health === 'string' && health !== 'none' ? health : null,
    exitCode: Number(state.ExitCode ?? 0),
    isOutOfMemory: state.OOMKilled === true,
  }
}
