// bench/push-baseline.ts: the plain way to take signals: a node:http server with one INSERT per signal, durable as
// ours. It ends with its input.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(process.argv[2]!)
database.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE signal (at REAL NOT NULL, key TEXT NOT NULL)',
)
const insert = database.prepare('INSERT INTO signal VALUES (?, ?)')
const server = createServer((request, response) => {
  insert.run(Date.now(), request.url ?? '')
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 3 })
  response.end('ok\n')
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ pid: process.pid, url: `http://127.0.0.1:${port}` }))
})
process.stdin.resume().on('end', () => process.exit(0))
