// scripts/debian/earlier-data.ts: data that version 0.1 wrote, with what it answered about them
// (earlier-data/README.md), and the targets that its fleet checks and notifies.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { CleanRoot } from '../clean-root/clean-root.ts'
import type { Account, Fields } from './installed-service.ts'

const folder = join(import.meta.dirname, 'earlier-data')
const store = 'var/lib/pulseward/store/pulseward.db'
/** Where SQLite keeps the number that we use for the format of the store. */
const formatOffset = 60

export const earlierFleet = readFileSync(join(folder, 'fleet.yaml'), 'utf8')
/** Actions by the id of their monitor. */
type Answers = Account & { readonly actions: Readonly<Record<string, readonly Fields[]>> }
export const earlierAnswers: Answers = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'))

/** The shop of the fleet, which is down while /root/down exists, and a receiver that prints what it gets. */
export const targets = `
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
createServer((_, response) => response.writeHead(existsSync('/root/down') ? 503 : 200).end()).listen(8090, '127.0.0.1')
createServer(async (request, response) => {
  const body = (await Array.fromAsync(request)).join('')
  console.log(request.method, request.url, body)
  response.end()
}).listen(8091, '127.0.0.1', () => console.log('listening'))
`

/** Replaces the store of the stopped service. */
export function putEarlierStore(root: CleanRoot): void {
  root.write(store, gunzipSync(readFileSync(join(folder, 'pulseward.db.gz'))))
}

/** Of the store of a stopped service. */
export function storeFormat(root: CleanRoot): number {
  return readFileSync(root.path(store)).readUInt32BE(formatOffset)
}
