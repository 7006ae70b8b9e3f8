// A write through v2 while the disk is full, with the real service on a real file system: 503, and nothing of it is there,
// neither then nor when there is space again.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { v2 } from '@pulseward/contract'
import { temporaryFolder } from '@pulseward/testing'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { callOperation, type V2Call } from '@pulseward/testing/editions'
import { onSmallDisk, RunningCommand, SmallDisk, whyNoSmallDisk } from '@pulseward/testing/process'
import { expect, it } from 'vitest'

const monitor = (id: string) => ({
  apiVersion: v2.apiVersion,
  kind: 'Monitor',
  metadata: { id },
  spec: {
    check: { driver: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } }, interval: '1h', timeout: '5s' },
  },
})

it('is refused with 503 and leaves nothing', async ({ skip }) => {
  using folder = temporaryFolder()
  const mountPoint = folder.path('disk')
  mkdirSync(mountPoint)
  const problem = whyNoSmallDisk(mountPoint)
  if (problem !== null) return skip(problem)
  const words = ['--edition', 'next', '--data', folder.path('disk/data'), '--log-level', 'error']
  await using service = await RunningCommand.serve(words, {
    through: onSmallDisk(mountPoint, 16 * 1024 * 1024),
  })
  const disk = new SmallDisk(service.pid, mountPoint)
  const seenByIt = (path: string) => join(`/proc/${service.pid}/root`, folder.path(path))
  const operator = readFileSync(seenByIt('disk/data/operator.token'), 'utf8').trim()
  const tokens = { operator, reader: operator, worker: '' }
  const call = (name: v2.OperationName, given?: V2Call) => callOperation(service.url, tokens, name, given)
  const create = (id: string) =>
    call('CreateMonitor', { body: monitor(id), headers: { 'if-none-match': '*' } })
  const ids = async () =>
    (await expectV2Answer('ListMonitors', await call('ListMonitors'))).items.map(
      ({ metadata }) => metadata.id,
    )

  const created = await create('before')
  const before = await expectV2Answer('CreateMonitor', created)
  disk.fill()
  // The journal of the store has some room left; what fits is kept.
  let refused: Response | null = null
  const kept = ['before']
  for (let number = 1; refused === null && number < 2_000; number++) {
    const response = await create(`m-${number}`)
    if (response.status === 201) kept.push(`m-${number}`)
    else refused = response
  }
  if (refused === null) throw new Error('the disk did not become full')
  expect(refused.headers.get('retry-after')).not.toBeNull()
  await expectV2Problem('CreateMonitor', refused, 'unavailable')
  const headers = { 'if-match': `"${before.metadata.resourceVersion}"` }
  const patch = { id: 'before', body: { spec: { enabled: false } }, headers }
  await expectV2Problem('PatchMonitor', await call('PatchMonitor', patch), 'unavailable')
  await expectV2Problem(
    'DeleteMonitor',
    await call('DeleteMonitor', { id: 'before', headers }),
    'unavailable',
  )
  expect(await ids()).toEqual(kept.sort().slice(0, 100))

  disk.free()
  await expect.poll(async () => (await create('after')).status).toBe(201)
  expect(await ids()).toEqual(['after', ...kept].sort().slice(0, 100))
  const changed = await call('PatchMonitor', patch)
  expect((await expectV2Answer('PatchMonitor', changed)).spec.enabled).toBe(false)
})
