// The metrics of both editions, judged by Prometheus' own tool.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { eventually } from '../../../testing/src/eventually.ts'
import { serveEdition } from '../../../testing/src/served-edition.ts'
import { describeServer } from '../../../testing/src/servers/describe-server.ts'
import { promtool } from '../../../testing/src/servers/promtool.ts'
import { troubledFleet } from '../../../testing/src/troubled-fleet.ts'

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
