import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../bin/pulseward.js', import.meta.url))

describe('a service that an npm script started', () => {
  it.each(['serve --allow-empty', 'demo --monitors 10'])(
    'ends as `%s` when the shell in between was stopped',
    async (words) => {
      // The second command keeps the shell from handing its process over to the first.
      const script = `"${process.execPath}" "${program}" ${words} --listen 127.0.0.1:0; true`
      const shell = spawn('sh', ['-c', script], {
        env: { ...process.env, npm_lifecycle_event: 'start', PULSEWARD_LOG_LEVEL: 'error' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [first] = (await once(createInterface({ input: shell.stdout }), 'line')) as [string]
      const url = first.split(/\s+/)[1]!
      expect((await fetch(`${url}/api/v1/healthz`)).status).toBe(200)
      shell.kill('SIGTERM')
      // The pipe closes when its last writer, the service, has ended.
      await once(shell.stdout, 'close')
      await expect(fetch(`${url}/api/v1/healthz`)).rejects.toThrow()
    },
  )
})
