// fleet/snapshot/write-again-and-again.fixture.ts: a process that writes the snapshot of a fleet file until it is killed.
import { keep, readFiles } from './kept-fleet.fixture.ts'

const [file = '', path = ''] = process.argv.slice(2)
const read = await readFiles([file])
for (let times = 1; ; times++) {
  keep(path, read)
  process.stdout.write(`${times}\n`)
  await new Promise(setImmediate)
}
