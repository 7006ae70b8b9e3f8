// Whole-service timelines of how the messages of a page get to people: when each is sent, what cancels it, who hears the end.
import { TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { gone, retry, unknown } from './platform/action-outcome.ts'
import {
  control,
  failing,
  head,
  incidentOf,
  monitor,
  paged,
  phases,
  started,
  steps,
} from './timeline-on-call.fixture.ts'

const edge = [monitor('edge', { notify: {} })]
const withoutTimes = (words: readonly string[]) => words.map((one) => one.replace(/^-?\d+s /, ''))

type Service = Awaited<ReturnType<typeof started>>

async function cancelledBy(service: Service): Promise<unknown[]> {
  const { actions } = await service.store.recover(1e9)
  return actions
    .filter(({ page, state }) => page?.stage === 'step' && state === 'cancelled')
    .map(({ endedBecause }) => endedBecause?.kind)
}

/** A step is queued and not sent: the person got another page of the policy less than a minute ago. */
async function queued(policy: Parameters<typeof head>[0] = {}, parts: object = {}): Promise<Service> {
  const service = await started(head(policy), [monitor('edge', { notify: {}, ...parts })])
  for (let count = 0; count < 2; count++) {
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    if (count > 0) break
    service.target('edge').comesBack()
    await service.advance({ seconds: 6 })
  }
  expect(withoutTimes(paged(service))).toEqual(['ana-push: step', 'ana-push: ended'])
  return service
}

describe('a step', () => {
  it('is on disk before it is sent', async () => {
    const service = await started()
    service.holdCommits()
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    expect(paged(service)).toEqual([])
    await service.releaseCommits()
    await service.advance({ seconds: 1 })
    expect(paged(service)).toEqual(['0s ana-push: step'])
  })

  it('is sent again on the same endpoint while that refuses it for now, and is told once', async () => {
    const service = await started(head({ steps: [{ notify: [{ endpoint: 'lead-1' }] }] }))
    let refusals = 2
    service.providers.outcomeOf = () => (refusals-- > 0 ? retry('HTTP 503') : { kind: 'accepted' })
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 120 })
    expect(withoutTimes(paged(service))).toEqual(Array(3).fill('lead-1: step'))
    await service.advance({ seconds: 600 })
    expect(paged(service)).toHaveLength(3)
  })

  it('whose answer was lost is never sent to the same endpoint again', async () => {
    const service = await started()
    service.providers.outcomeOf = () => unknown('no answer')
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 290 })
    expect(paged(service)).toEqual(['0s ana-push: step', '0s ana-phone: step'])
  })

  it('whose answers were lost may have arrived: whoever got it hears the end', async () => {
    const service = await started()
    service.providers.outcomeOf = ({ notification }) =>
      notification.page?.stage === 'step' ? unknown('no answer') : { kind: 'accepted' }
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    service.target('edge').comesBack()
    await service.advance({ seconds: 6 })
    expect(withoutTimes(paged(service)).slice(2)).toEqual(['ana-push: ended', 'ana-phone: ended'])
  })

  it('that no endpoint of a person took is an event, and the next step comes in its time', async () => {
    const service = await started()
    service.providers.outcomeOf = ({ endpoint }) =>
      endpoint.startsWith('ana') ? gone('HTTP 410') : { kind: 'accepted' }
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 306 })
    expect(await phases(service)).toEqual(['opened', 'told', 'unreachable', 'told', 'spent'])
    expect(paged(service).slice(2)).toEqual(['300s lead-1: step', '300s lead-2: step'])
  })

  it('goes out although a color to the same endpoint has no answer yet', async () => {
    const red = { red: { endpoints: ['ana-push'] } }
    const service = await started(head(), [monitor('edge', { notify: red })])
    service.providers.latencyMs = 20_000
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 12 })
    const { actions } = await service.store.recover(1e9)
    expect(actions.map(({ endpoint, page, color }) => [endpoint, page?.stage ?? color]).toSorted()).toEqual([
      ['ana-push', 'red'],
      ['ana-push', 'step'],
    ])
    await service.advance({ seconds: 60 })
    expect(service.told.filter((one) => one === 'edge red → ana-push')).toHaveLength(2)
  })

  it('tells an endpoint that two people share once', async () => {
    const both = { steps: [{ notify: [{ person: 'ana' }, { person: 'bo' }] }] }
    const people = { ana: { endpoints: ['ana-push'] }, bo: { endpoints: ['ana-push', 'bo-push'] } }
    const service = await failing(head(both, { people }))
    await service.advance({ seconds: 60 })
    expect(paged(service)).toEqual(['0s ana-push: step', '0s bo-push: step'])
  })
})

describe('what is queued of a page', () => {
  it('is sent when its minute has come', async () => {
    const service = await queued()
    await service.advance({ seconds: 60 })
    expect(withoutTimes(paged(service)).slice(2)).toEqual(['ana-push: step'])
  })

  it.each([
    ['an acknowledgement', 'control', (service: Service) => control(service, 'acknowledge')],
    ['a snooze', 'page_paused', (service: Service) => control(service, 'snooze')],
    ['a dismissal', 'page_ended', (service: Service) => control(service, 'dismiss')],
    [
      'the recovery',
      'page_ended',
      async (service: Service) => {
        service.target('edge').comesBack()
        await service.advance({ seconds: 6 })
      },
    ],
    [
      'the removal of its monitor',
      'page_ended',
      (service: Service) => service.reload({ monitors: [monitor('other')], head: head() }),
    ],
  ])('is cancelled by %s', async (_, because, happens) => {
    const service = await queued()
    await happens(service)
    await service.advance({ seconds: 90 })
    expect(await cancelledBy(service)).toEqual([because])
    expect(withoutTimes(paged(service))).toEqual(['ana-push: step', 'ana-push: ended'])
  })

  it('is cancelled when it begins to be in maintenance', async () => {
    const maintenance = [{ start: '2026-01-01T00:00:30Z', end: '2026-01-01T01:00:00Z' }]
    const service = await queued({}, { maintenance })
    await service.advance({ seconds: 90 })
    expect(await cancelledBy(service)).toEqual(['page_paused'])
    expect(paged(service)).toHaveLength(2)
  })
})

describe('what is suppressed', () => {
  it('has no page; its policy starts at step 1 when the incident opens afterwards', async () => {
    const { policy: _, ...gateway } = monitor('gateway', { notify: {} })
    const service = await started(head(), [{ ...edge[0]!, depends_on: ['gateway'] }, gateway])
    for (const id of ['gateway', 'edge']) {
      service.target(id).goesDown('HTTP 503')
      await service.advance({ seconds: 6 })
    }
    await service.advance({ seconds: 400 })
    expect(paged(service)).toEqual([])
    expect(incidentOf(service, 'edge')).toBeNull()
    service.target('gateway').comesBack()
    await service.advance({ seconds: 20 })
    expect(paged(service)).toEqual(['0s ana-push: step'])
    await service.advance({ seconds: 301 })
    expect(paged(service)).toEqual(['0s ana-push: step', '300s lead-1: step', '300s lead-2: step'])
  })
})

describe('an acknowledgement', () => {
  it('is told on the endpoint that was used', async () => {
    const service = await started()
    service.providers.outcomeOf = ({ endpoint }) =>
      endpoint === 'ana-push' ? gone('HTTP 410') : { kind: 'accepted' }
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    await control(service, 'acknowledge')
    expect(withoutTimes(paged(service)).slice(2)).toEqual(['ana-phone: acknowledged'])
  })

  it('is told to whoever got the step after it', async () => {
    const service = await started()
    service.providers.latencyMs = 10_000
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    await control(service, 'acknowledge')
    expect(paged(service)).toEqual(['0s ana-push: step'])
    await service.advance({ seconds: 30 })
    expect(withoutTimes(paged(service))).toEqual(['ana-push: step', 'ana-push: acknowledged'])
  })

  it('counts no longer when the policy has started again, and is told again when it comes again', async () => {
    const service = await failing(head({ ack_timeout: '10m' }))
    await control(service, 'acknowledge')
    await service.advance({ seconds: 610 })
    await control(service, 'acknowledge')
    await service.advance({ seconds: 300 })
    expect(withoutTimes(paged(service))).toEqual([
      'ana-push: step',
      'ana-push: acknowledged',
      'ana-push: step',
      'ana-push: acknowledged',
    ])
  })
})

describe('the end of a page', () => {
  it('is told to somebody whose step arrives after it', async () => {
    const service = await started()
    service.providers.latencyMs = 15_000
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 6 })
    service.target('edge').comesBack()
    await service.advance({ seconds: 6 })
    expect(paged(service)).toEqual(['0s ana-push: step'])
    await service.advance({ seconds: 40 })
    expect(withoutTimes(paged(service))).toEqual(['ana-push: step', 'ana-push: ended'])
  })

  it('is told to all who were paged, in whichever round', async () => {
    const service = await failing(head({ repeat: 1 }))
    await service.advance({ seconds: 640 })
    service.target('edge').comesBack()
    await service.advance({ seconds: 6 })
    const ends = withoutTimes(paged(service)).filter((one) => one.endsWith('ended'))
    expect(ends).toEqual(['ana-push: ended', 'lead-1: ended', 'lead-2: ended'])
  })
})

describe('quiet hours', () => {
  const hold = { hours: '23:00-00:05', severities: ['critical' as const] }
  const drop = { ...hold, ...JSON.parse('{ "then": "drop" }') }

  it('that drop a page say nothing of it at their end', async () => {
    const service = await failing(head({ steps: [steps[0]!], quiet: drop }))
    service.target('edge').comesBack()
    await service.advance({ seconds: 600 })
    expect(paged(service)).toEqual([])
  })

  it('hold one message for several steps of a page', async () => {
    const service = await failing(head({ steps: [{ ...steps[0]!, wait: '1m' }], repeat: 2, quiet: hold }))
    await service.advance({ seconds: 400 })
    expect(paged(service)).toEqual(['0s ana-push: step'])
    expect((await phases(service)).filter((one) => one === 'held')).toHaveLength(3)
  })

  it('send nothing at their end of what somebody takes care of by then', async () => {
    const service = await failing(head({ steps: [steps[0]!], quiet: hold }))
    await control(service, 'acknowledge')
    await service.advance({ seconds: 400 })
    expect(paged(service)).toEqual([])
  })
})

describe('a round that reaches nobody', () => {
  it('tells the last resort of its policy', async () => {
    const primary = { layers: [{ people: ['bo'], start: '2030-01-01T00:00' }] }
    const policy = { steps: [steps[0]!], last_resort: { endpoints: ['lead-2'] } }
    const service = await failing(head(policy, { schedules: { primary } }))
    expect(paged(service)).toEqual(['0s lead-2: nobody'])
  })
})

describe('time', () => {
  it('of a hand-over is wall-clock time, also after the change to summer time', async () => {
    const layers = [{ people: ['ana', 'bo'], every: '1d', start: '2026-03-28T09:00' }]
    const primary = { timezone: 'Europe/Berlin', layers }
    const twice = [0, 1].map(() => ({ ...steps[0]!, wait: '1m' }))
    const service = await TestService.start({
      monitors: edge,
      head: head({ steps: twice }, { schedules: { primary } }),
      wallMs: Date.parse('2026-03-29T06:59:30Z'),
    })
    await service.advance({ seconds: 6 })
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 70 })
    expect(paged(service)).toEqual(['0s ana-push: step', '60s bo-push: step'])
  })

  it.each([3_600_000, -3_600_000])('that is set changes no wait: by %d ms', async (jumpMs) => {
    const service = await failing()
    service.clock.jumpWall(jumpMs)
    await service.advance({ seconds: 290 })
    expect(paged(service)).toHaveLength(1)
    await service.advance({ seconds: 11 })
    expect(withoutTimes(paged(service))).toEqual(['ana-push: step', 'lead-1: step', 'lead-2: step'])
  })

  it('in which the service could not run for 30 seconds: a step waits for a failed check', async () => {
    const service = await failing()
    service.target('edge').comesBack()
    service.sleep({ seconds: 400 })
    await service.advance({ seconds: 20 })
    expect(withoutTimes(paged(service))).toEqual(['ana-push: step', 'ana-push: ended'])
    const again = await failing()
    again.sleep({ seconds: 400 })
    await again.advance({ seconds: 20 })
    expect(withoutTimes(paged(again)).slice(1)).toEqual(['lead-1: step', 'lead-2: step'])
  })

  it('of a severity: that of the monitor is the severity of its red, and of its page, and not of other colors', async () => {
    const colors = { red: { endpoints: ['chat'] }, green: { endpoints: ['chat'] } }
    const service = await failing(head(), [monitor('edge', { severity: 'warning', notify: colors })])
    service.target('edge').comesBack()
    await service.advance({ seconds: 6 })
    const said = service.providers.deliveries.map(({ endpoint, notification: { color, severity } }) => [
      endpoint,
      color,
      severity,
    ])
    expect(said).toContainEqual(['chat', 'red', 'warning'])
    expect(said).toContainEqual(['ana-push', 'red', 'warning'])
    expect(said).toContainEqual(['chat', 'green', 'info'])
  })
})
