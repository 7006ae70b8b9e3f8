// Every operation of v2 against the served edition: answered with its success and a body that keeps to the contract, or
// what it says about the setting that would turn it on.
import { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import {
  needExternalJobs,
  type ServedNext,
  serveNext,
  troubledFleet,
  V2Calls,
  withExternalJobs,
} from '@pulseward/testing/editions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let calls: V2Calls
let without: ServedNext
beforeAll(async () => {
  calls = await V2Calls.begin(await serveNext(await troubledFleet(), withExternalJobs))
  without = await serveNext(await troubledFleet())
})
afterAll(async () => {
  await calls.next[Symbol.asyncDispose]()
  await without[Symbol.asyncDispose]()
})

describe('v2 of the edition next', () => {
  it('serves the 66 operations of the contract, of which 11 need external jobs', () => {
    expect([v2.contractOperationNames.length, needExternalJobs.length]).toEqual([66, 11])
  })

  it.each(v2.operationNames)('answers %s as the contract says', async (name) => {
    await expectV2Answer(name, await calls.next.call(name, await calls.rightCall(name)))
  })

  it.each(v2.operationNames.filter((name) => !v2.isMutation(v2.operations[name])))(
    'answers HEAD like %s, without the body',
    async (name) => {
      const { id = '' } = await calls.rightCall(name)
      const path = v2.operations[name].path.replace('{id}', encodeURIComponent(id))
      const headers = { authorization: `Bearer ${calls.next.tokens.reader}` }
      const response = await calls.next.get(path, { method: 'HEAD', headers })
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    },
  )

  it.each(needExternalJobs)('says how %s is turned on', async (name) => {
    const isWorkerCall = name.startsWith('Worker')
    const response = await without.call(name, { id: 'any', ...(isWorkerCall ? { role: 'worker' } : {}) })
    const { detail } = await expectV2Problem(name, response, 'featureUnavailable')
    expect(detail).toContain('external_jobs')
  })
})
