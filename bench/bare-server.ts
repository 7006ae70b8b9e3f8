// bench/bare-server.ts: a node:http server that answers every request with fixed bytes. It ends with its input.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = Buffer.from(process.argv[2]!)
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ pid: process.pid, url: `http://127.0.0.1:${port}/` }))
})
process.stdin.resume().on('end', () => process.exit(0))
