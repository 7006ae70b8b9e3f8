import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { runInProcess, withoutNotes } from '../client/command.fixture.ts'

const manifest = (config: object) => ({
  'monitors.yaml': JSON.stringify({ monitors: [{ name: 'shop', pulse_check: { type: 'http', config } }] }),
})

describe('pulseward import', () => {
  it.each([
    [
      [],
      'Name a program and a file: pulseward import uptime-kuma|healthchecks|gatus|blackbox|cpra|goalert FILE',
    ],
    [['nagios', 'a.cfg'], 'Name a program and a file'],
    [['gatus'], 'Name a program and a file'],
    [['constructor', 'a.yaml'], 'Name a program and a file'],
    [['gatus', 'a.yaml', 'b.yaml'], 'gatus: 1 file can be read at a time, not 2.'],
  ])('is a usage error without a program and its file: %j', async (words, sentence) => {
    expect(await runInProcess(['import', ...words])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(sentence),
    })
  })

  it.each(['uptime-kuma', 'healthchecks', 'gatus', 'blackbox', 'cpra'])(
    'says what cannot be read: %s',
    async (kind) => {
      using folder = temporaryFolder()
      mkdirSync(folder.path('folder'))
      for (const [name, sentence] of [
        ['none.yaml', 'none.yaml does not exist.'],
        ['folder', 'folder is not a file.'],
      ] as const)
        expect(await runInProcess(['import', kind, folder.path(name)])).toEqual({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining(sentence),
        })
    },
  )

  it.each(['uptime-kuma', 'healthchecks', 'gatus', 'blackbox', 'cpra'])(
    'reads no more than it can hold: %s',
    async (kind) => {
      using folder = temporaryFolder({ 'huge.yaml': 'monitors:\n' })
      truncateSync(folder.path('huge.yaml'), 2 ** 40)
      const { code, stdout, stderr } = await runInProcess(['import', kind, folder.path('huge.yaml')])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain('huge.yaml is larger than 256 MiB, the most that is read')
    },
  )

  it('is not overwhelmed by aliases of aliases', async () => {
    const levels = Array.from(
      { length: 20 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(90)}]`,
    )
    using folder = temporaryFolder({ 'a.yaml': `l0: &l0 [x]\n${levels.join('\n')}\nendpoints: *l20\n` })
    const { code, stdout, stderr } = await runInProcess(['import', 'gatus', folder.path('a.yaml')])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('a.yaml cannot be read as YAML or JSON')
  })

  it('carries over thousands of monitors', () => carriesOver(2_000))

  it('carries over a hundred thousand monitors', { tags: 'long' }, () => carriesOver(100_000))

  async function carriesOver(count: number): Promise<void> {
    const monitors = Array.from({ length: count }, (_, number) => ({
      id: `m${number}`,
      name: `Monitor ${number}`,
      pulse_check: {
        type: 'tcp',
        interval: '30s',
        config: { host: `h${number}.example`, port: 443 },
        novelty: 1,
      },
    }))
    using folder = temporaryFolder({ 'many.json': JSON.stringify({ monitors }) })
    const { code, stdout, stderr } = await runInProcess(['import', 'cpra', folder.path('many.json')])
    expect(code).toBe(0)
    expect(stdout.match(/^ {2}- id: /gm)).toHaveLength(count)
    expect(stderr).toContain(`"Monitor ${count - 1}": pulse_check.novelty: is not known to this import.\n`)
    expect(stderr).toContain(`pulseward: ${count} monitors carried over.\n`)
  }
})

describe('--secrets', () => {
  const values = { password: `password: it's "quoted" $HOME \`x\` \\ and\nlong`, token: 'plain-token' }
  const secretive = manifest({
    url: 'https://shop.example/',
    headers: { Authorization: `Bearer ${values.token}` },
    body: values.password,
  })

  it('writes values as a shell reads them, and the fleet is valid with them', async () => {
    using folder = temporaryFolder(secretive)
    const file = folder.path('fleet.env')
    const { stdout, stderr } = await runInProcess([
      'import',
      'cpra',
      folder.path('monitors.yaml'),
      '--secrets',
      file,
    ])
    const script = '. "$0"; printf "%s\\n" "$FLEET_SHOP_BODY" "$FLEET_SHOP_TOKEN"'
    const read = execFileSync('sh', ['-c', script, file], { encoding: 'utf8' })
    expect(read).toBe(`${values.password}\n${values.token}\n`)
    expect(stdout + stderr).not.toMatch(/quoted|plain-token/)
    expect(stderr).toContain(`FLEET_SHOP_TOKEN (in ${file})`)
    const environment = { FLEET_SHOP_BODY: values.password, FLEET_SHOP_TOKEN: values.token }
    const validated = await runInProcess(['validate', folder.write('fleet.yaml', stdout)], { environment })
    expect([validated.code, withoutNotes(validated.stderr)]).toEqual([0, ''])
  })

  it('never writes over a file, and nothing is imported then', async () => {
    using folder = temporaryFolder({ ...secretive, 'fleet.env': 'OLD=1\n' })
    const file = folder.path('fleet.env')
    expect(await runInProcess(['import', 'cpra', folder.path('monitors.yaml'), '--secrets', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `pulseward: --secrets: ${file} exists already; it is not overwritten. Nothing was imported.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('OLD=1\n')
  })

  it('says when the file cannot be made', async () => {
    using folder = temporaryFolder(secretive)
    const words = ['import', 'cpra', folder.path('monitors.yaml'), '--secrets', folder.path('none/fleet.env')]
    const { code, stdout, stderr } = await runInProcess(words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('cannot be written (ENOENT). Nothing was imported.')
  })
})
