// A notification worker: sends a line to a syslog server by UDP. UDP has no confirmation, so the result is
// `accepted` and not `delivered`.
import { createSocket } from 'node:dgram'
import { hostname } from 'node:os'
import { accepted, createWorker, notification, rejected } from '@pulseward/worker'
import { fromEnvironment } from './from-environment.ts'

const parameterSchema = {
  type: 'object',
  required: ['host'],
  properties: { host: { type: 'string' }, port: { type: 'integer' } },
} as const
const rejectionCodes = ['not_sent'] as const

/** Facility daemon, severity alert. */
const priority = 3 * 8 + 1

const syslog = notification({ parameterSchema, rejectionCodes }, async (job) => {
  const { host, port = 514 } = job.parameters
  // A name may contain line breaks; a syslog line may not.
  const text = job.notification.summary.replaceAll(/\p{Cc}+/gu, ' ')
  const line = `<${priority}>1 ${new Date().toISOString()} ${hostname()} pulseward - - - ${text}`
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.send(line, port, host, (error) => (error ? reject(error) : resolve()))
    })
    return accepted({ evidence: [line] })
  } catch (error) {
    return rejected('not_sent', error instanceof Error ? error.message : String(error))
  } finally {
    socket.close()
  }
})

await createWorker({ ...fromEnvironment, handlers: { 'syslog@1': syslog } }).start()
