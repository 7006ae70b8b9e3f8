// The whole service, as a process, with providers that answer nonsense, send it elsewhere, ask it to come back in ten
// days, or never answer: no other destination waits for one in trouble.
import { temporaryFolder } from '@pulseward/testing'
import { ServiceOnFiles } from '@pulseward/testing/process'
import { answers, type Behaviour, HttpTarget, hangs, sends } from '@pulseward/testing/targets'
import { expect, it } from 'vitest'

const soon = { interval: 50 }
const tenDaysSeconds = 864_000
const longestWaitMs = 3_600_000

async function behaving(behaviour: Behaviour): Promise<HttpTarget> {
  const target = await HttpTarget.start()
  target.behave(behaviour)
  return target
}

const webhook = (target: HttpTarget) => ({ type: 'webhook', config: { url: target.url('/hook') } })

it('keeps what each provider does to itself, and tells the others', async () => {
  using folder = temporaryFolder()
  await using elsewhere = await HttpTarget.start()
  await using nonsense = await behaving(sends(['\u0000\u0001 good morning\r\n\r\n']))
  await using sendsAway = await behaving(answers({ status: 302, headers: { Location: elsewhere.url() } }))
  await using toMetadata = await behaving(
    answers({ status: 307, headers: { Location: 'http://169.254.169.254/latest/meta-data/' } }),
  )
  await using limited = await behaving(
    answers({ status: 429, headers: { 'Retry-After': String(tenDaysSeconds) } }),
  )
  await using silent = await behaving(hangs())
  await using service = await ServiceOnFiles.start({
    data: folder.path('data'),
    endpoints: {
      nonsense: webhook(nonsense),
      'sends-away': webhook(sendsAway),
      'to-metadata': webhook(toMetadata),
      limited: webhook(limited),
    },
    recovery: { ...webhook(silent), timeout: '1s' },
  })
  service.breakTarget()
  const ends = [
    // The recovery was sent and not answered: its outcome is unknown, so the incident opens.
    ...['action_unknown timed_out', 'incident_opened'],
    'action_succeeded red ops accepted',
    'action_unknown red nonsense timed_out',
    'action_failed red sends-away rejected',
    'action_failed red to-metadata rejected',
    'action_failed red limited rejected',
  ]
  await expect.poll(() => service.story(), soon).toEqual(expect.arrayContaining(ends))

  const story = await service.story()
  const queuedFor = (name: string) => story.filter((words) => words === `action_queued red ${name}`).length
  expect(queuedFor('limited')).toBe(2)
  for (const name of ['nonsense', 'sends-away', 'to-metadata']) expect(queuedFor(name)).toBe(1)
  expect(elsewhere.acceptedSockets).toBe(0)
  expect(silent.acceptedSockets).toBe(1)
  expect(limited.requests).toHaveLength(1)
  const { destinations } = (await service.get('queues')).body
  const limits = destinations.find(({ name }: { name: string }) => name === 'limited')
  expect(limits).toMatchObject({ state: 'limited', queued: 1 })
  expect(Date.parse(limits.until) - Date.now()).toBeLessThanOrEqual(longestWaitMs)
  expect((await service.get('state')).body.unknown_actions).toBe(2)
  expect(await service.readiness()).toEqual([])
})
