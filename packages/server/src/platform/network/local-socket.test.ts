import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { temporaryFolder } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { connectLocal } from './local-socket.ts'
import { NotSent } from './outbound-connect.ts'

const deadline = () => ({ signal: AbortSignal.timeout(2_000), timeoutMs: 2_000 })

it('connects to the socket of a local service', async () => {
  using folder = temporaryFolder()
  const server = createServer((socket) => socket.end('hello')).listen(folder.path('socket'))
  await once(server, 'listening')
  const socket = await connectLocal(folder.path('socket'), deadline())
  if (socket instanceof NotSent) throw new Error(socket.reason)
  expect(String((await once(socket, 'data'))[0])).toBe('hello')
  socket.destroy()
  server.close()
})

it('says in words why there is no connection', async () => {
  using folder = temporaryFolder()
  writeFileSync(folder.path('file'), '')
  const reasonOf = async (path: string) => ((await connectLocal(path, deadline())) as NotSent).reason
  expect(await reasonOf(folder.path('none'))).toBe(`there is no socket at ${folder.path('none')}`)
  expect(await reasonOf(folder.path('file'))).toBe(`nothing listens at ${folder.path('file')}`)
  expect(await reasonOf(`/${'x'.repeat(200)}`)).toMatch(/^the connection to \/x+ failed \(\w+\)$/)
})

it('does not begin when no time is left', async () => {
  const late = { signal: AbortSignal.abort(), timeoutMs: 5 }
  expect(await connectLocal('/nonexistent', late)).toMatchObject({ reason: 'no time was left to connect' })
})
