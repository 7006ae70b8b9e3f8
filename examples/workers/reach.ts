// A check worker: can a TCP port be reached from here? Run it inside the network that the service cannot see.
import { once } from 'node:events'
import { connect } from 'node:net'
import { check, createWorker, failure, success } from '@pulseward/worker'
import { fromEnvironment } from './from-environment.ts'

const parameterSchema = {
  type: 'object',
  required: ['host', 'port'],
  properties: { host: { type: 'string' }, port: { type: 'integer' } },
} as const

const reach = check({ parameterSchema, concurrency: 64 }, async (job, { signal }) => {
  const { host, port } = job.parameters
  const startedAt = performance.now()
  const socket = connect({ host, port })
  try {
    await once(socket, 'connect', { signal })
    return success({ latencyMs: performance.now() - startedAt })
  } catch (error) {
    // The worker is stopping: nothing is known about the target.
    if (signal.aborted) throw error
    return failure(`${host}:${port} cannot be reached: ${error instanceof Error ? error.message : error}`)
  } finally {
    socket.destroy()
  }
})

await createWorker({ ...fromEnvironment, handlers: { 'reach@1': reach } }).start()
