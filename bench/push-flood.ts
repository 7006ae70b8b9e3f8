// bench/push-flood.ts: an address that tries unknown keys as fast as it can, over many connections and without waiting for
// answers. Runs until it is ended.
import { connect } from 'node:net'

const { hostname, port } = new URL(process.argv[2]!)
const connections = 200
const keysAtOnce = 50

let number = 0
function tryKeys(): void {
  const socket = connect(Number(port), hostname)
  const keys = Array.from({ length: keysAtOnce }, () => `guess-${String(number++).padStart(24, '0')}`)
  socket
    .on('error', () => {})
    .on('close', tryKeys)
    .resume()
  socket.write(keys.map((key) => `GET /push/${key} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
}

for (let connection = 0; connection < connections; connection++) tryKeys()
console.log(JSON.stringify({ pid: process.pid }))
