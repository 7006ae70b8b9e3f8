// bench/busy-connections.ts: a process that opens many connections at once and sends requests over each of
// them repeatedly, without a credential, so that every answer is a refusal. Prints the port of its counters,
// and runs until its standard input closes.
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

export interface BusyConnections {
  readonly control: number
}

export interface BusyCounts {
  readonly connected: number
  readonly refusals: number
}

const [url = '', connections = '1'] = process.argv.slice(2)
const { hostname, port, host } = new URL(url)
const question = `GET /api/v2/monitors HTTP/1.1\r\nHost: ${host}\r\n\r\n`
const counts = { connected: 0, refusals: 0 }

function open(): void {
  const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.1' })
  socket.on('connect', () => {
    counts.connected++
    socket.write(question)
  })
  // A refusal is shorter than a packet, and arrives in one piece.
  socket.on('data', (chunk) => {
    if (chunk.toString('latin1', 9, 12) === '401') counts.refusals++
    socket.write(question)
  })
  socket.on('error', () => socket.destroy())
}

const control = createServer((_request, response) => response.end(JSON.stringify(counts)))
control.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ control: (control.address() as AddressInfo).port })}\n`)
  for (let count = 0; count < Number(connections); count++) open()
})
process.stdin.resume().on('end', () => process.exit(0))
