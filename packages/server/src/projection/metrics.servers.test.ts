// The metrics of both editions, judged by Prometheus' own tool.
import { spawnSync } from 'node:child_process'
import { eventually } from '@pulseward/testing'
import { serveEdition, troubledFleet } from '@pulseward/testing/editions'
import { describeServer, promtool } from '@pulseward/testing/servers'
import { expect, it } from 'vitest'

describeServer(promtool, (program) => {
  const judge = (metrics: string) => {
    const { status, stdout, stderr } = spawnSync(program, ['check', 'metrics'], {
      input: metrics,
      encoding: 'utf8',
    })
    return { status, said: stdout + stderr }
  }

  it.each(['main', 'candidate'] as const)(
    'finds nothing to complain about in metrics of %s',
    async (edition) => {
      await using served = await serveEdition(edition, await troubledFleet())
      await eventually(async () => expect((await served.get('overview')).status).toBe(200))
      expect(judge(await (await served.get('/metrics')).text())).toEqual({ status: 0, said: '' })
    },
  )

  it('complains about what is wrong', () => {
    expect(judge('a{ 1\n').status).not.toBe(0)
  })
})
