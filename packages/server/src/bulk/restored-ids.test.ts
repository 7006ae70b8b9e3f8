// The ids of operations over a restore: those that the backup has are good, and those of the lost life are never given again.
import { expectV2Answer } from '@pulseward/testing/api'
import { expect, it } from 'vitest'
import { backUp } from '../store/sqlite/maintenance/backup.ts'
import { restore } from '../store/sqlite/maintenance/restore.ts'
import { monitor, ServedBulk } from './served.fixture.ts'

it('a restored store gives no id of its lost life to another operation', async () => {
  await using served = await ServedBulk.start()
  const { folder } = served
  const write = async (id: string): Promise<string> => {
    const headers = { 'if-none-match': '*' }
    const response = await served.call('CreateMonitor', { body: monitor(id), headers })
    await expectV2Answer('CreateMonitor', response)
    return response.headers.get('x-operation-id') ?? ''
  }
  const kept = [await write('kept'), (await served.apply(monitor('kept-by-many'))).id]
  const file = folder.path('backup.db')
  await backUp(folder.path('data'), file, Date.now())
  // Both lives go on from the last operation that is stored.
  await served.restart()
  const lost = [await write('lost'), (await served.apply(monitor('lost-by-many'))).id]
  await served.stop()
  await restore({ file, directory: folder.path('data'), force: true, now: Date.now() })
  await served.resume()
  for (const id of kept) expect(await served.read(id)).toMatchObject({ id, state: 'completed' })
  const given = [await write('later'), (await served.apply(monitor('later-by-many'))).id]
  expect(given.filter((id) => lost.includes(id))).toEqual([])
  for (const id of given) expect(await served.read(id)).toMatchObject({ id, state: 'completed' })
  for (const id of lost)
    expect(await served.refusal('GetOperation', { id }, 'operationExpired')).toBe(
      'The store was restored from a backup that does not have this operation; look at what is there now.',
    )
  await served.refusal('ActivateOperation', { id: lost[1] ?? '' }, 'operationExpired')
})
