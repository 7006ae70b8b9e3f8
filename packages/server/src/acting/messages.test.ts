// What a notification says about times, as the controller makes it.
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { expect, it } from 'vitest'

it('tells with a green when the outage began that it ends', async () => {
  const edge = { ...http('edge'), notify: { red: { endpoints: ['ops'] }, green: { endpoints: ['ops'] } } }
  const service = await TestService.start({ monitors: [edge], head: endpoints('ops') })
  service.target('edge').goesDown()
  await service.advance({ seconds: 60 })
  service.target('edge').comesBack()
  await service.advance({ seconds: 60 })

  expect(service.told).toEqual(['edge red → ops', 'edge green → ops'])
  const [red, green] = service.providers.deliveries.map(({ notification }) => notification)
  expect(green!.beganMs).toBe(red!.sinceMs)
  expect(green!.beganMs).toBeLessThan(red!.atMs)
  expect(red!.beganMs).toBeUndefined()
})
