// Routes written through v2, over time: whom they tell about monitors of files and of v2, at once after they were
// written, and no longer after they were changed or deleted. Each test is a timeline of the whole controller.
import type { v2 } from '@pulseward/contract'
import { expectV2Answer } from '@pulseward/testing/api'
import { documentOf, type ServedNext, serveNext } from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'

const payments = { team: 'payments' }
const check = {
  driver: { type: 'http', config: { url: 'http://of-api.test/' } },
  interval: '10s',
  timeout: '5s',
}

/** Two monitors of a file and one of v2; two of them belong to one team. Only routes name destinations. */
class RoutedService implements AsyncDisposable {
  readonly service: TestService
  readonly #next: ServedNext
  #version = ''

  private constructor(service: TestService, next: ServedNext) {
    this.service = service
    this.#next = next
  }

  static async start(head: object = {}): Promise<RoutedService> {
    const service = await TestService.start({
      monitors: [{ ...http('of-file'), labels: payments }, http('other')],
      head: { ...endpoints('ops', 'phone'), groups: { all: ['ops'] }, ...head },
    })
    const routed = new RoutedService(service, await serveNext(service))
    const body = {
      ...documentOf('Monitor', 'of-api', { check }),
      metadata: { id: 'of-api', labels: payments },
    }
    await routed.#write('CreateMonitor', { body, headers: { 'if-none-match': '*' } })
    await service.advance({ seconds: 15 })
    return routed
  }

  create(spec: v2.Route['spec']): Promise<void> {
    const body = documentOf('Route', 'all-hands', spec)
    return this.#write('CreateRoute', { body, headers: { 'if-none-match': '*' } })
  }

  patch(spec: object): Promise<void> {
    return this.#write('PatchRoute', {
      id: 'all-hands',
      body: { spec },
      headers: { 'if-match': this.#version },
    })
  }

  remove(): Promise<void> {
    return this.#write('DeleteRoute', { id: 'all-hands', headers: { 'if-match': this.#version } })
  }

  /** All monitors fail long enough for an incident. Returns what was sent meanwhile. */
  fail(): Promise<string[]> {
    return this.#newlyTold(() => {
      for (const id of ['of-file', 'of-api', 'other']) this.service.target(id).goesDown('HTTP 503')
    }, 45)
  }

  recover(): Promise<string[]> {
    return this.#newlyTold(() => {
      for (const id of ['of-file', 'of-api', 'other']) this.service.target(id).comesBack()
    }, 30)
  }

  async #newlyTold(happens: () => void, seconds: number): Promise<string[]> {
    const before = this.service.told.length
    happens()
    await this.service.advance({ seconds })
    return this.service.told.slice(before).sort()
  }

  async #write(name: v2.OperationName, call: Parameters<ServedNext['call']>[1]): Promise<void> {
    const response = await this.#next.call(name, call)
    this.#version = response.headers.get('etag') ?? this.#version
    await expectV2Answer(name, response)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#next[Symbol.asyncDispose]()
  }
}

describe('a route of v2', () => {
  it('tells a group about matching monitors of files and of v2, and about no other', async () => {
    await using routed = await RoutedService.start()
    await routed.create({ match: payments, colors: ['red', 'green'], groupRefs: ['all'] })
    expect(await routed.fail()).toEqual(['of-api red → ops', 'of-file red → ops'])
    expect(await routed.recover()).toEqual(['of-api green → ops', 'of-file green → ops'])
  })

  it('matches every monitor without labels to match', async () => {
    await using routed = await RoutedService.start()
    await routed.create({ match: {}, colors: ['red'], endpointRefs: ['phone'] })
    expect(await routed.fail()).toEqual(['of-api red → phone', 'of-file red → phone', 'other red → phone'])
  })

  it('adds to the routes of files, and tells a destination that both name once', async () => {
    const routes = [{ match: payments, colors: ['red'], endpoints: ['ops'] }]
    await using routed = await RoutedService.start({ routes })
    await routed.create({ match: {}, colors: ['red'], endpointRefs: ['phone'], groupRefs: ['all'] })
    expect(await routed.fail()).toEqual([
      'of-api red → ops',
      'of-api red → phone',
      'of-file red → ops',
      'of-file red → phone',
      'other red → ops',
      'other red → phone',
    ])
  })

  it('is in force as changed, and never after it was deleted', async () => {
    await using routed = await RoutedService.start()
    await routed.create({ match: payments, colors: ['red'], groupRefs: ['all'] })
    await routed.patch({ match: { team: 'search' } })
    expect(await routed.fail()).toEqual([])
    await routed.recover()
    await routed.patch({ match: { team: null }, groupRefs: null, endpointRefs: ['phone'] })
    expect(await routed.fail()).toEqual(['of-api red → phone', 'of-file red → phone', 'other red → phone'])
    await routed.recover()
    await routed.remove()
    // Until no cooldown is left.
    await routed.service.advance({ seconds: 300 })
    expect(await routed.fail()).toEqual([])
  })

  it('leaves what it has queued as it is: a red in its cooldown still goes out', async () => {
    await using routed = await RoutedService.start()
    await routed.create({ match: { team: 'payments' }, colors: ['red'], endpointRefs: ['phone'] })
    await routed.fail()
    await routed.recover()
    expect(await routed.fail()).toEqual([])
    await routed.remove()
    await routed.service.advance({ seconds: 300 })
    expect(routed.service.told.filter((told) => told === 'of-file red → phone')).toHaveLength(2)
  })
})
