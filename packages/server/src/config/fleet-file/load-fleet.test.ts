import { temporaryFolder } from '@pulseward/testing'
import { loadFleetFiles, mistakesIn } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../driver-shapes.ts'
import { loadFleet } from './load-fleet.ts'

describe('loading a fleet', () => {
  const manyMonitors = (separator: string) =>
    Array.from({ length: 1000 }, (_, number) => ({
      name: `m${number}`,
      check: { type: 'icmp', config: { hots: 'a' } },
    }))
      .map((monitor) => JSON.stringify(monitor))
      .join(separator)

  const files: Record<string, [content: string, firstLine: number]> = {
    'fleet.ndjson': [manyMonitors('\n'), 1],
    'fleet.json': [`{"monitors": [\n${manyMonitors(',\n')}]}`, 2],
    'fleet.yaml': [`monitors:\n- ${manyMonitors('\n- ')}\n`, 2],
  }
  for (const [file, [content, firstLine]] of Object.entries(files)) {
    it(`reports a thousand mistakes with their lines (${file})`, async () => {
      const mistakes = await mistakesIn({ [file]: content.replaceAll('"hots"', '"host":"b","hots"') })
      expect(mistakes).toHaveLength(1000)
      mistakes.forEach((mistake, index) => {
        expect(mistake).toMatch(
          new RegExp(`^${firstLine + index}: .*config\\.hots: the key "hots" is unknown`),
        )
      })
    })
  }

  it('reports more mistakes than a call may have arguments', { tags: 'long' }, async () => {
    const content = '{"name":"","check":{"type":"icmp","config":{"host":"a"}}}\n'.repeat(130_000)
    expect(await mistakesIn({ 'fleet.ndjson': content })).toHaveLength(130_000)
  })

  it('reports mistakes of all files, in the order of the files and their lines', async () => {
    const wrong = 'groups: { ops: [nobody] }\n\nverison: 1\n'
    const mistakes = await mistakesIn({
      'b.yaml': wrong,
      'a.yaml': wrong.replace('ops', 'others'),
      'c.ndjson': '{}\n',
    })
    expect(mistakes.map((mistake) => /^\S+/.exec(mistake)![0])).toEqual([
      'a.yaml:1:',
      'a.yaml:3:',
      'b.yaml:1:',
      'b.yaml:3:',
      'c.ndjson:1:',
      'c.ndjson:1:',
    ])
  })

  it('needs monitors, unless it may be empty', async () => {
    const load = (allowEmpty: boolean) => loadFleetFiles('version: 1\n', { allowEmpty })
    expect((await load(true)).definition.count).toBe(0)
    await expect(load(false)).rejects.toThrow(/No monitors are defined/)
  })

  it('says which file cannot be read', async () => {
    using folder = temporaryFolder()
    const load = loadFleet({
      paths: [folder.path('none.yaml')],
      drivers: driverShapes,
      environment: {},
      allowEmpty: true,
    })
    await expect(load).rejects.toThrow(`${folder.path('none.yaml')} does not exist.`)
  })

  it('reads the same file twice as two files', async () => {
    using folder = temporaryFolder({
      'a.ndjson': '{"name":"a","check":{"type":"icmp","config":{"host":"a"}}}\n',
    })
    const path = folder.path('a.ndjson')
    await expect(
      loadFleet({ paths: [path, path], drivers: driverShapes, environment: {}, allowEmpty: true }),
    ).rejects.toMatchObject({ mistakes: [{ line: 1, path: 'name' }] })
  })
})
