import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { accepts, findProgram, freePort, ServerProcess } from './server-process.ts'

const listen = (port: number) => `require('node:net').createServer().listen(${port}, '127.0.0.1')`

function start(script: string, isReady: () => boolean | Promise<boolean>): Promise<ServerProcess> {
  return ServerProcess.start({
    program: process.execPath,
    words: ['-e', script],
    folder: temporaryFolder(),
    isReady,
  })
}

describe('a server as a process of a test', () => {
  it('is there once it is started, and gone with its scope', async () => {
    const port = await freePort()
    {
      await using server = await start(listen(port), () => accepts(port))
      expect(server.output).toBe('')
      expect(await accepts(port)).toBe(true)
    }
    expect(await accepts(port)).toBe(false)
  })

  it('ends with everything that it started, also when it does not listen to us', async () => {
    const port = await freePort()
    const child = JSON.stringify(`process.on('SIGTERM', () => {}); ${listen(port)}`)
    const script = `require('node:child_process').spawn(process.execPath, ['-e', ${child}]); setInterval(() => {}, 1000)`
    {
      await using _ = await start(script, () => accepts(port))
    }
    await expect.poll(() => accepts(port)).toBe(false)
  })

  it('says why it could not start', async () => {
    const started = start("console.error('no such option'); process.exit(3)", () => false)
    await expect(started).rejects.toThrow('no such option')
    const missing = {
      program: '/nonexistent/server',
      words: [],
      folder: temporaryFolder(),
      isReady: () => false,
    }
    await expect(ServerProcess.start(missing)).rejects.toThrow('ENOENT')
  })
})

describe('findProgram', () => {
  it('finds programs by name and by pattern, or none', () => {
    expect(findProgram('sh')).toMatch(/\/sh$/)
    expect(findProgram('/bin/s[h]')).toBe('/bin/sh')
    expect(findProgram('no-such-program')).toBeNull()
    expect(findProgram('/nonexistent/*')).toBeNull()
  })
})
