// Job types, and monitors that use them, by the commands that people write resources with.
import { describe, expect, it } from 'vitest'
import { ServedNext, samples } from '../client/served.fixture.ts'

const spec = {
  version: '1',
  kind: 'check',
  handler: 'queueDepth',
  protocolVersion: '1',
  parameterSchema: { type: 'object', required: ['queue'] },
  resultSchema: true,
}
const jobType = (change: object = {}) => ({
  apiVersion: 'pulseward/v2',
  kind: 'JobType',
  metadata: { id: 'queue-depth' },
  spec: { ...spec, ...change },
})
const user = samples.monitor('mail', {
  enabled: false,
  check: { driver: { type: 'queue-depth', config: { queue: 'mail' } }, interval: '1h', timeout: '5s' },
})
const text = (...resources: object[]) => resources.map((one) => JSON.stringify(one)).join('\n---\n')

describe('job types', () => {
  it('are applied with what uses them, shown, compared, left out of fleet files and deleted', async () => {
    await using served = await ServedNext.start({ environment: { PULSEWARD_EXTERNAL_JOBS: 'on' } })
    await served.apply(user, jobType())
    expect(await served.run(['diff', '-f', '-'], { stdin: text(user, jobType()) })).toMatchObject({
      code: 0,
      stdout: '',
    })
    expect((await served.run(['get', 'job-types'])).stdout).toContain('queue-depth')
    expect((await served.run(['describe', 'job-type', 'queue-depth'])).stdout).toContain('queueDepth')

    const changed = await served.run(['apply', '-f', '-', '--wait'], {
      stdin: text(jobType({ handler: 'other' })),
    })
    expect(changed.code).toBe(1)
    expect(changed.stderr).toContain('spec.version: must be another one')

    const { stdout, stderr } = await served.run(['export'])
    expect(stdout).not.toContain('queue-depth')
    expect(stderr).toContain('A fleet file cannot name job types, so these are left out: monitor mail.')

    const kept = await served.run(['delete', 'job-type', 'queue-depth'])
    expect([kept.code, kept.stderr]).toEqual([3, expect.stringContaining('monitor/mail')])
    expect((await served.run(['delete', 'monitor', 'mail'])).code).toBe(0)
    expect((await served.run(['delete', 'job-type', 'queue-depth'])).code).toBe(0)
  })

  it('that the service does not know are for the service to refuse', async () => {
    await using served = await ServedNext.start()
    const { code, stderr } = await served.run(['apply', '-f', '-', '--wait'], { stdin: text(user) })
    expect(code).toBe(1)
    expect(stderr).toContain('spec.check.driver.type: there is no check of type "queue-depth"')
  })
})
