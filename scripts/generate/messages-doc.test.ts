// The pages of messages: what the program says is on them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@pulseward/testing'
import { runCommand } from '@pulseward/testing/process'
import { runInProcess } from 'pulseward/src/client/command.fixture.ts'
import { describe, expect, it } from 'vitest'
import { temporaryTree } from '../check/temporary-tree.ts'
import { messagesDoc } from './messages-doc.ts'

/** The pages of this checkout; `npm run check` holds them against its sources. */
const pagesFolder = join(import.meta.dirname, '../../docs/generated/messages')
const ownPages = readdirSync(pagesFolder)
  .map((name) => readFileSync(join(pagesFolder, name), 'utf8'))
  .join('\n')

async function pagesOf(files: Readonly<Record<string, string>>) {
  using tree = temporaryTree(files)
  return await messagesDoc(tree.root)
}

describe('the pages of messages', () => {
  it('have a sentence that was just written, with gaps for what is put in', async () => {
    const pages = await pagesOf({
      'packages/server/src/store/pump.ts': `
        export const why = (name: string) => new UsageError(\`The pump \${name} has no water; fill it.\`)
        export function check(ok: boolean) { if (!ok) throw new Error('a pump was lost on the way') }
        export function fill(pump: string) { throw new StoreError(\`\${pump} refuses water\`) }`,
    })
    const row = '| `The pump … has no water; fill it.` | `store/pump.ts` |'
    expect(pages.get('docs/generated/messages/store.md')).toContain(row)
    expect(pages.get('docs/generated/messages/store.md')).toContain('| `… refuses water` |')
    expect(pages.get('docs/generated/messages/defects.md')).toContain('| `a pump was lost on the way` |')
    expect(pages.get('docs/generated/messages/store.md')).not.toContain('was lost on the way')
  })

  it('leave out what is not said about something that happened', async () => {
    const pages = await pagesOf({
      'packages/server/src/checks/pump.ts': `
        export const config = closed({ level: oneOf(levels, 'How much water there is.') })
        export const driver = { summary: 'Looks at a pump.', sql: 'SELECT water FROM pump WHERE id = 1' }`,
      'packages/server/src/checks/pump.test.ts': `it('says that a pump is empty', () => {})`,
    })
    expect(pages.get('docs/generated/messages/checks.md')).not.toMatch(/water|pump/)
  })

  it('refuse a source file that belongs to no area', async () => {
    const files = { 'packages/server/src/attic/pump.ts': "export const why = 'The pump is empty.'" }
    await expect(pagesOf(files)).rejects.toThrow(
      'packages/server/src/attic/pump.ts says "The pump is empty.", and no area of messages/areas.ts names it',
    )
  })
})

describe('what the command says', () => {
  it.each([
    ['serv', 'There is no command "…".…'],
    ['serve', 'No fleet is given: pass --config PATH, or --allow-empty to start without monitors.'],
    ['serve --confg fleet.yaml', 'There is no flag ….…'],
    ['validate none.yaml', '… does not exist.'],
    ['validate wrong.yaml', 'there is no … of type …; allowed: …'],
    ['get pumps', 'There is no "…" to get.…'],
    ['backup --data none copy.db', 'There is no store in ….'],
    ['token create a --role king --data none', '--…: "…" is not allowed here; use ….…'],
    ['import gatus fleet.yaml', '… is not a configuration of Gatus: it has no list of endpoints.'],
  ])('at pulseward %s is on a page', async (words, message) => {
    using folder = temporaryFolder({
      'fleet.yaml': 'monitors: []\n',
      'wrong.yaml': 'monitors:\n  - { name: b, check: { type: tpc, config: {} } }\n',
    })
    const { stderr } = await runInProcess(words.split(' '), { cwd: folder.root })
    expectOnPage(stderr, message)
  })

  it('when a service does not start is on a page', async () => {
    const { stderr } = await runCommand(['serve', '--allow-empty', '--listen', '0.0.0.0:0'])
    const message = 'Listening on … reaches beyond this machine and needs a token: pass --token-file.'
    expectOnPage(stderr, message)
  })

  function expectOnPage(said: string, message: string): void {
    expect(said).toMatch(new RegExp(message.split('…').map(RegExp.escape).join('.*')))
    expect(ownPages).toContain(`\n| \`${message}\` |`)
  }
})

describe('the page about troubleshooting', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/troubleshooting.md'), 'utf8')
  const tables = [...text.matchAll(/^\| It says \|.*\n\|.*\n((?:\|.*\n)+)/gm)].map(([, rows = '']) => rows)
  const quotes = tables.flatMap((rows) =>
    [...rows.matchAll(/^\| `([^`]+)` \|/gm)].map(([, quote = '']) => quote),
  )

  it('quotes only what the program says', () => {
    const isSaid = (quote: string) =>
      new RegExp(`^\\| \`.*${quote.split('…').map(RegExp.escape).join('.*')}`, 'm').test(ownPages)
    expect(quotes.length).toBeGreaterThan(8)
    expect(quotes.filter((quote) => !isSaid(quote))).toEqual([])
  })
})
