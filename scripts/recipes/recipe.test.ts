import { readFileSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { change } from './follow.ts'
import { findRecipes, parseRecipe, type Step } from './recipe.ts'

const fence = '```'

/** A document with one recipe, by the lines of its section. */
function recipeOf(...lines: string[]) {
  const [text] = findRecipes(['# Contributing', '', '## Add a check', ...lines].join('\n'))
  if (text === undefined) throw new Error('The document has no recipe.')
  return parseRecipe(text)
}

const driver = [
  '1. Write the driver,',
  '   `src/finger.ts`:',
  '',
  `   ${fence}ts`,
  '   one',
  '     two',
  `   ${fence}`,
]
const line = ['In `src/registry.ts`, after', 'the line `http,`:', '', `${fence}ts`, 'finger,', fence]
const touch = ['', 'You touch: `src/finger.ts`,', '`src/registry.ts`, and what the generator writes.']

describe('a recipe', () => {
  it('is a section that begins with “Add”, named by its last word', () => {
    const document = '## Set up\n\n## Add a check\ntext\n## Add a view\n'
    expect(findRecipes(document).map(({ name, firstLine }) => [name, firstLine])).toEqual([
      ['check', 4],
      ['view', 6],
    ])
  })

  it('writes, inserts and runs what its blocks say, in their order', () => {
    const commands = [`${fence}sh`, 'npm run generate', '# a comment', 'npm test -- \\', '  src', fence]
    expect(recipeOf(...driver, '', ...line, '', ...commands, ...touch)).toEqual({
      name: 'check',
      title: 'Add a check',
      touches: ['src/finger.ts', 'src/registry.ts'],
      steps: [
        { kind: 'write', line: 7, file: 'src/finger.ts', text: 'one\n  two\n' },
        {
          kind: 'insert',
          line: 15,
          file: 'src/registry.ts',
          place: 'after',
          anchor: 'http,',
          text: 'finger,\n',
        },
        { kind: 'run', line: 19, command: 'npm run generate' },
        { kind: 'run', line: 19, command: 'npm test -- src' },
      ],
    })
  })

  it('gets a name where it says NAME, and may touch a whole folder', () => {
    const lines = ['`src/NAME/NAME.ts`:', `${fence}ts`, 'NAME or NAMES', fence, '', 'You touch: `src/NAME`.']
    expect(recipeOf(...lines)).toMatchObject({
      touches: ['src/sample'],
      steps: [{ file: 'src/sample/sample.ts', text: 'sample or NAMES\n' }],
    })
  })

  it.each([
    [
      'a block without a file',
      ['Write it:', `${fence}ts`, 'x', fence, ...touch],
      ':5) has a block without a file',
    ],
    [
      'a word instead of a file',
      ['Write `it`:', `${fence}ts`, 'x', fence, ...touch],
      'has a block without a file',
    ],
    [
      'a file that is not in the list',
      [...driver, '', 'You touch: `src/registry.ts`.'],
      'changes src/finger.ts, which is not in',
    ],
    [
      'a file in the list that no block changes',
      [...driver, ...touch],
      'you touch src/registry.ts, but no block',
    ],
    ['no list', driver, 'does not end with the files'],
    ['no block', ['Write it.', ...touch], 'has no block to follow'],
  ])('is refused for %s', (_defect, lines, words) => {
    expect(() => recipeOf(...lines)).toThrow(words)
  })
})

describe('a step', () => {
  const insert = {
    kind: 'insert',
    line: 9,
    file: 'registry.ts',
    place: 'after',
    anchor: 'http,',
    text: 'finger,\n',
  } as const
  const write = { kind: 'write', line: 9, file: 'new/finger.ts', text: 'x\n' } as const

  function changed(step: Exclude<Step, { kind: 'run' }>) {
    using folder = temporaryFolder({ 'registry.ts': '{\n  http,\n  tcp,\n}\n', 'twice.ts': 'http,\nhttp,\n' })
    change(folder.root, step)
    return readFileSync(folder.path(step.file), 'utf8')
  }

  it('writes a new file, with its folder', () => {
    expect(changed(write)).toBe('x\n')
  })

  it.each([
    ['after', '{\n  http,\n  finger,\n  tcp,\n}\n'],
    ['before', '{\n  finger,\n  http,\n  tcp,\n}\n'],
    ['instead of', '{\n  finger,\n  tcp,\n}\n'],
  ] as const)('inserts %s its anchor, as far in as that', (place, text) => {
    expect(changed({ ...insert, place })).toBe(text)
  })

  it.each([
    [{ ...write, file: 'registry.ts' }, 'writes registry.ts, which exists already'],
    [{ ...insert, file: 'none.ts' }, 'adds to none.ts, which does not exist'],
    [{ ...insert, anchor: 'dns,' }, 'looks for one line of registry.ts with `dns,` and finds 0'],
    [{ ...insert, file: 'twice.ts' }, 'looks for one line of twice.ts with `http,` and finds 2'],
  ])('is refused where it does not fit: %j', (step, words) => {
    expect(() => changed(step)).toThrow(`The block at CONTRIBUTING.md:9 ${words}`)
  })
})
