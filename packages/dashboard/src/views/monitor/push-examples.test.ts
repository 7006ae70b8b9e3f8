import { describe, expect, it } from 'vitest'
import { keyPlace, pushAddress, pushExamples } from './push-examples.ts'

const address = pushAddress('https://pulseward.example')

describe('the examples of a push monitor', () => {
  it('have one for each way of starting a job', () => {
    const names = pushExamples(address).map(({ name }) => name)
    expect(names).toEqual(['curl', 'cron', 'systemd', 'Kubernetes CronJob', 'GitHub Actions'])
  })

  it.each(pushExamples(address))('call the address and say how the job ended: $name', ({ name, text }) => {
    expect(text).toContain('https://pulseward.example/push/')
    expect(text).toMatch(/\$\?|EXIT_STATUS|job\.status/)
    // The secret of a workflow takes the place of the key.
    expect(text.includes(`/push/${keyPlace}`)).toBe(name !== 'GitHub Actions')
  })
})
