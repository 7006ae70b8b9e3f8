// Large documents are read in runs of monitors. Whatever the layout, that must give the same fleet and the same
// mistakes at the same lines as reading the document whole. An anchor anywhere in it makes the reader do that.

import { temporaryFolder } from '@pulseward/testing'
import { loadFleetFiles, mistakesIn, monitorsOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readYaml } from './read-yaml.ts'

const readWhole = '# the same: &anchor\n'
const readInRuns = '# the same\n'

interface Layout {
  readonly indent: string
  readonly gap: string
  readonly lineEnd: string
  readonly headFirst: boolean
  readonly spread: number
}

const layouts: fc.Arbitrary<Layout> = fc.record({
  indent: fc.constantFrom('', '  ', '    '),
  gap: fc.constantFrom('', '\n', '# a comment\n', '      # deep\n\n'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  headFirst: fc.boolean(),
  spread: fc.constantFrom(1, 7, 100),
})

/** Beyond 256 KiB, with a block text in each monitor that looks like further monitors. */
function largeDocument(layout: Layout, mark: string, wrong: ReadonlySet<number>): string {
  const { indent } = layout
  const filler = `- name: not a monitor ${'·'.repeat(1000)}`
  const monitors = Array.from({ length: 400 }, (_, number) => {
    const enabled = wrong.has(number) ? 'enabeld' : 'enabled'
    return `${indent}- name: monitor ${number}
${indent}  ${enabled}: true
${indent}  tags:
${indent}  - t${number % 3}
${indent}  check:
${indent}    type: http
${indent}    config:
${indent}      url: http://host-${number}.test/
${indent}      body: |
${indent}        ${filler}
${indent}        monitors:
${number % layout.spread === 0 ? layout.gap : ''}`
  })
  const head = 'defaults:\n  check:\n    retries: 2\n'
  const list = `monitors: # all of them\n${monitors.join('')}`
  return `${mark}${layout.headFirst ? head + list : list + head}`.replaceAll('\n', layout.lineEnd)
}

describe('a large document', () => {
  it('is read in runs unless it has anchors', async () => {
    using folder = temporaryFolder()
    const layout = { indent: '  ', gap: '', lineEnd: '\n', headFirst: true, spread: 1 }
    const kindsOf = async (mark: string) => {
      const kinds: string[] = []
      const file = folder.write('fleet.yaml', largeDocument(layout, mark, new Set()))
      for await (const { chunk } of readYaml(file)) kinds.push(chunk.kind)
      return kinds
    }
    expect(await kindsOf(readWhole)).toEqual(['document'])
    expect(await kindsOf(readInRuns)).toEqual(expect.arrayContaining(['document', 'items', 'items']))
  })

  it('gives the same fleet in runs as whole', async () => {
    await fc.assert(
      fc.asyncProperty(layouts, async (layout) => {
        const fleetOf = async (mark: string) =>
          monitorsOf((await loadFleetFiles(largeDocument(layout, mark, new Set()))).definition)
        const fleet = await fleetOf(readInRuns)
        expect(fleet).toHaveLength(400)
        expect(fleet[399]).toMatchObject({ name: 'monitor 399', policy: { retries: 2 } })
        expect(fleet).toEqual(await fleetOf(readWhole))
      }),
      { numRuns: 4 },
    )
  })

  it('gives the same mistakes at the same lines in runs as whole', async () => {
    const wrong = fc.uniqueArray(fc.nat(399), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(layouts, wrong, async (layout, numbers) => {
        const mistakesOf = (mark: string) => mistakesIn(largeDocument(layout, mark, new Set(numbers)))
        const mistakes = await mistakesOf(readInRuns)
        expect(mistakes).toHaveLength(numbers.length)
        expect(mistakes).toEqual(await mistakesOf(readWhole))
      }),
      { numRuns: 2 },
    )
  })

  const layout = { indent: '  ', gap: '', lineEnd: '\n', headFirst: false, spread: 1 }

  it('shows a mistake behind the monitors at its line', async () => {
    const text = largeDocument(layout, readInRuns, new Set())
    const lines = text.split('\n').length - 1
    expect(await mistakesIn(`${text}groups: { ops: [nobody] }\n`)).toEqual([
      `${lines + 1}: groups.ops[0]: there is no endpoint "nobody". No endpoints are defined.`,
    ])
    expect(await mistakesIn(`${text}groups: [\n`)).toEqual([
      expect.stringMatching(new RegExp(`^${lines + 1}: A \\{ or \\[ is not closed`)),
    ])
  })

  it('keeps lines and paths of what comes after a run that cannot be read', async () => {
    const lines = largeDocument(layout, readInRuns, new Set([390])).split('\n')
    const broken = lines.findIndex((line) => line.includes('name: monitor 3'))
    lines[broken] = '  - name: "never closed'
    const mistakes = await mistakesIn(lines.join('\n'))
    const misspelt = lines.findIndex((line) => line.includes('enabeld')) + 1
    expect(Number.parseInt(mistakes[0]!, 10)).toBeGreaterThanOrEqual(broken + 1)
    expect(mistakes.at(-1)).toMatch(new RegExp(`^${misspelt}: monitors\\[390\\]\\.enabeld: the key`))
  })

  it('refuses a second list of monitors', async () => {
    const text = `${largeDocument(layout, readInRuns, new Set())}monitors: []\n`
    expect(await mistakesIn(text)).toEqual([
      expect.stringMatching(/^\d+: monitors: the key "monitors" is given twice in one mapping; keep one\.$/),
    ])
  })
})
