// bench/worker-child.ts: a real worker for bench/workers.ts:
// `node worker-child.ts URL TOKEN JOURNAL HANDLER_MS`. Prints its pid and works until its input ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { createWorker, success } from '../packages/worker/src/index.ts'

const [server = '', token = '', journal = '', handlerMs = '0'] = process.argv.slice(2)
const lastsMs = Number(handlerMs)

const worker = createWorker({
  server,
  token,
  journal,
  concurrency: 250,
  handlers: {
    'bench-check@1': async () => {
      if (lastsMs > 0) await sleep(lastsMs)
      return success({ latencyMs: lastsMs })
    },
  },
  log: () => {},
})
await worker.start()
process.stdin.on('close', () => void worker.stop().then(() => process.exit(0)))
process.stdin.resume()
process.stdout.write(`${JSON.stringify({ pid: process.pid })}\n`)
