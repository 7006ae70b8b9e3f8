import { describe, expect, it } from 'vitest'
import { recordTypes } from './dns-message.ts'
import { localAnswer } from './local-answer.ts'

describe('names that are answered without a server', () => {
  it.each([
    ['localhost', recordTypes.A, ['127.0.0.1']],
    ['LOCALHOST.', recordTypes.AAAA, ['::1']],
    ['db.localhost', recordTypes.A, ['127.0.0.1']],
    ['localhost', recordTypes.MX, []],
  ])('%s of type %i is %j', (name, type, data) => {
    const message = localAnswer(name, type)
    expect(message?.rcode).toBe('NOERROR')
    expect(message?.answers.map((record) => record.data)).toEqual(data)
  })

  it.each(['example.test', 'notlocalhost', 'localhost.test', ''])('%j is asked of a server', (name) => {
    expect(localAnswer(name, recordTypes.A)).toBeNull()
  })
})
