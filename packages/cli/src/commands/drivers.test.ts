import { recoveries } from '@pulseward/server/internal/recovery/registry.ts'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'
import { displayWidth } from '../client/table/display-width.ts'

const drivers = (...words: string[]) => runInProcess(['drivers', ...words])

describe('pulseward drivers', () => {
  it('lists every driver with its kind and what it does', async () => {
    const { code, stdout, stderr } = await drivers()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^KIND +NAME +NEEDS PACKAGES +WHAT IT DOES\n/)
    expect(stdout).toMatch(/^check +tcp +- +Opens a TCP connection/m)
    expect(stdout).toMatch(/^notification +slack +- /m)
    expect(stdout).toMatch(/^recovery +docker +- +Restarts a container over the API of a Docker engine\.$/m)
  })

  it('fits the terminal', async () => {
    for (const columns of [40, 60, 80]) {
      for (const line of ['drivers', 'settings']) {
        const { code, stdout, stderr } = await runInProcess([line], { columns })
        expect(code).toBe(0)
        for (const text of stdout.split('\n')) expect(displayWidth(text), text).toBeLessThanOrEqual(columns)
        expect(stderr).toMatch(/add "\| less -S" to see (every column|them whole)\.\n$/)
      }
    }
  })

  it('shows the options of one, of each kind that has it', async () => {
    const { code, stdout } = await drivers('docker')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Driver +check docker$/m)
    expect(stdout).toMatch(/^Driver +recovery docker$/m)
    expect(stdout).toMatch(/^container +text +yes +/m)
  })

  it('prints the schemas as JSON', async () => {
    const { code, stdout } = await drivers('-o', 'json')
    expect(code).toBe(0)
    const rows = JSON.parse(stdout) as { kind: string; name: string; requires: string[]; schema: object }[]
    expect(rows.filter(({ kind }) => kind === 'recovery').map(({ name }) => name)).toEqual(
      Object.keys(recoveries),
    )
    expect(rows.find(({ kind, name }) => kind === 'recovery' && name === 'aws')!.schema).toMatchObject({
      type: 'object',
      required: ['region', 'instance_id', 'access_key_id', 'secret_access_key'],
      additionalProperties: false,
      properties: { secret_access_key: { secret: true } },
    })
  })

  it.each([
    [['http', 'tcp'], '"tcp" is not expected here.'],
    [['htpp'], 'There is no driver "htpp". Did you mean http?'],
    [['-o', 'yaml'], '--output: "yaml" is not allowed here; use table or json.'],
  ])('ends with 2 for %j', async (words, sentence) => {
    expect(await drivers(...words)).toMatchObject({ code: 2, stdout: '', stderr: `pulseward: ${sentence}\n` })
  })
})
