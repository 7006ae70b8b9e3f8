// Every operation of v2 over HTTP by every kind of caller. Who may call what is said by the page on principals, and once
// more by a table of its own beside the rule (access/roles.test.ts); here the listener has to keep to it.
import { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { serveNext, troubledFleet, V2Calls, withExternalJobs } from '@pulseward/testing/editions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roles } from '../access/roles.ts'

let service: Awaited<ReturnType<typeof troubledFleet>>
let calls: V2Calls
beforeAll(async () => {
  service = await troubledFleet()
  calls = await V2Calls.begin(await serveNext(service, withExternalJobs))
})
afterAll(() => calls.next[Symbol.asyncDispose]())

const isWorkerCall = (name: v2.OperationName) => name.startsWith('Worker')
const isRead = (name: v2.OperationName) => /^(?:List|Get|Explain)/.test(name)

/** From the words of the page: reader: all reads; operator: reads and writes, not worker calls; worker: worker calls; probe: none. */
const may: Readonly<Record<(typeof roles)[number], (name: v2.OperationName) => boolean>> = {
  reader: isRead,
  operator: (name) => !isWorkerCall(name),
  worker: isWorkerCall,
  probe: () => false,
}

describe.each(roles)('a %s', (role) => {
  it.each(v2.operationNames.filter(may[role]))('may call %s', async (name) => {
    if (!v2.operationNames.includes(name)) {
      await expectV2Problem(name, await calls.next.call(name, { role, id: 'any' }), 'featureUnavailable')
      return
    }
    await expectV2Answer(name, await calls.next.call(name, { ...(await calls.rightCall(name)), role }))
  })

  it.each(v2.operationNames.filter((name) => !may[role](name)))(
    'may not call %s, whatever else is wrong with the call',
    async (name) => {
      const body = v2.isMutation(v2.operations[name]) ? { body: '{' } : {}
      const headers = { 'if-match': 'W/"1"' }
      const response = await calls.next.call(name, { role, id: 'any', headers, ...body, query: '?x=1' })
      const { detail } = await expectV2Problem(name, response, 'forbidden')
      expect(detail).toBe(`the-${role} has the role ${role}, which may not do this.`)
    },
  )
})

describe.each([
  ['nobody', () => ''],
  ['a token that was made up', () => 'Bearer pw_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['an expired token', () => `Bearer ${calls.next.endedTokens.expired}`],
  ['a revoked token', () => `Bearer ${calls.next.endedTokens.revoked}`],
  ['the token of an operator as a password', () => `Basic ${btoa(`svc:${calls.next.tokens.operator}`)}`],
])('%s', (_, authorization) => {
  it.each(v2.operationNames)('may not call %s', async (name) => {
    // From the tenth in a minute on, wrong tokens are answered late.
    service.clock.advance(10_000)
    const headers = { authorization: authorization() }
    const response = await calls.next.call(name, { id: 'any', headers })
    await expectV2Problem(name, response, 'unauthorized')
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="pulseward"')
  })
})
