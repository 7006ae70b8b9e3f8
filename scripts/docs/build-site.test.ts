// The site of the documentation: its links lead somewhere, and pages that come and go need no edit of the navigation.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@pulseward/testing'
import MiniSearch from 'minisearch'
import { describe, expect, it } from 'vitest'
import { temporaryTree } from '../check/temporary-tree.ts'
import { buildSite } from './build-site.ts'
import { find, type SearchEntry, searchOptions } from './search.ts'

const root = join(import.meta.dirname, '../..')

async function builtFrom(documents: Readonly<Record<string, string>>) {
  using tree = temporaryTree({ 'docs/index.md': '# Pulseward\n', ...documents })
  const site = join(tree.root, 'docs/.site')
  const { brokenLinks } = await buildSite(tree.root, site)
  return { brokenLinks, first: readFileSync(join(site, 'index.html'), 'utf8') }
}

describe('the documentation of this repository', () => {
  it('has no link that leads nowhere, loads nothing from elsewhere, and finds a pasted message', async () => {
    using folder = temporaryFolder()
    const { brokenLinks } = await buildSite(root, folder.path('site'))
    expect(brokenLinks).toEqual([])
    const pages = globSync('site/**/*.html', { cwd: folder.root })
    expect(pages.length).toBeGreaterThan(100)
    const loads =
      /<(?:script|img|link|iframe)[^>]* (?:src|href)="(?:https?:)?\/\/|(?:url\(|@import )["']?(?:https?:)?\/\//
    const files = [...pages, ...globSync('site/assets/*.{css,js}', { cwd: folder.root })]
    expect(files.filter((file) => loads.test(readFileSync(folder.path(file), 'utf8')))).toEqual([])
    const written = readFileSync(folder.path('site/search-index.json'), 'utf8')
    const index = MiniSearch.loadJSON<SearchEntry>(written, searchOptions)
    const best = (asked: string) => find(index, asked)[0]
    const page = 'Messages of the command'
    expect(best('pulseward: There is no command "serv". Did you mean serve?')).toMatchObject({
      heading: 'There is no command "…".…',
      page,
    })
    expect(best('pulseward: There is no flag --confg. Did you mean --config?')).toMatchObject({
      heading: 'There is no flag ….…',
      page,
    })
    expect(best('Something else is listening on 127.0.0.1:8060 already')?.heading).toMatch(/^Something else/)
    expect(best('tls.ca')).toMatchObject({
      heading: 'tls.ca',
      path: expect.stringMatching(/^generated\/checks\//),
    })
    expect(best('limits.concurrent_requests')).toMatchObject({ page: 'Settings' })
    expect(best('unhealthy_threshold')?.heading).toBe('defaults.check.unhealthy_threshold')
    expect(find(index, 'unhealthy_threshold')[2]?.page).toBe('Write a fleet')
    expect(best('cooldown')?.path).not.toMatch(/^generated\/messages/)
    expect(best('pulseward_per_monitor_left_out')?.page).toBe('Metrics')
    expect(best('nginx')).toMatchObject({ heading: 'nginx', page: 'Run behind a proxy' })
  })
})

describe('a site', () => {
  it.each([
    ['[a](gone.md)', 'docs/page.md links to gone.md, which does not exist.'],
    ['[a](index.md#gone)', 'docs/page.md links to index.md#gone, but there is no such heading.'],
    ['[a](#gone)', 'docs/page.md links to #gone, but there is no such heading.'],
  ])('tells that %s leads nowhere', async (link, sentence) => {
    expect((await builtFrom({ 'docs/page.md': `# Page\n\n${link}\n` })).brokenLinks).toEqual([sentence])
  })

  it('leads to headings, other documents and files of the repository', async () => {
    const { brokenLinks, first } = await builtFrom({
      'docs/index.md':
        '# Pulseward\n\n[a](more/page.md#what-it-says) [b](../SECURITY.md) [c](../examples/a.yaml) [d](../README.md)\n',
      'docs/more/page.md': '# Page\n\n## What it says\n',
      'SECURITY.md': '# Security\n',
      'README.md': '# Pulseward\n',
      'examples/a.yaml': 'version: 1\n',
    })
    expect(brokenLinks).toEqual([])
    for (const target of ['more/page.html#what-it-says', 'project/security.html', 'files/examples/a.yaml'])
      expect(first).toContain(`href="${target}"`)
  })

  it('offers a page to install once there is one, and pages that no section names', async () => {
    const without = await builtFrom({})
    expect(without.first).not.toContain('<h2>Install</h2>')
    const { first } = await builtFrom({ 'docs/install.md': '# From npm\n', 'docs/odd.md': '# Odd\n' })
    expect(first).toContain('<h2>Install</h2><ul><li><a href="install.html">From npm</a></li></ul>')
    expect(first).toContain('<h2>More</h2><ul><li><a href="odd.html">Odd</a></li></ul>')
  })

  it('gives headings the anchors that they have at the code host, beside rows of the same name', async () => {
    using tree = temporaryTree({
      'docs/index.md': '# Pulseward\n',
      'docs/generated/checks/one.md':
        '# one\n\n| Key | Says |\n| --- | --- |\n| `example` | a |\n\n## Example\n',
    })
    await buildSite(tree.root, join(tree.root, 'docs/.site'))
    const html = readFileSync(join(tree.root, 'docs/.site/generated/checks/one.html'), 'utf8')
    expect(html).toContain('<h2 id="example">')
    expect(html).toContain('<tr id="example-1">')
  })

  it('shows markup in a document as text', async () => {
    const { first } = await builtFrom({
      'docs/index.md': '# Pulseward\n\n<script>alert(1)</script>\n\na<br>b\n',
    })
    expect(first).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(first).toContain('a<br>b')
  })
})
