// Feeds: entries that keep their identity, in well-formed XML whatever names say.
import { describe, expect, it } from 'vitest'
import { escaped } from '../page/markup.ts'
import { incidentOf, pageViewOf, windowOf } from '../page-view.fixture.ts'
import type { PageView } from '../page-view.ts'
import { filePaths, renderFile } from '../render-file.ts'

const hourMs = 3_600_000
const { atMs } = pageViewOf({})
const window = windowOf({
  id: 'w',
  componentIds: ['search'],
  fromMs: atMs + hourMs,
  untilMs: atMs + 2 * hourMs,
})
const view = pageViewOf({ maintenance: [window] })
const bodyOf = (of: PageView, path: string) => renderFile(of, path)!.body
const idsIn = (body: string) => body.match(/urn:uuid:[0-9a-f-]{36}/g) ?? []

/** Enough to notice what is not well-formed: every tag is closed in its place, and no sign stands alone. */
function tagsOf(xml: string): string[] {
  const open: string[] = []
  const seen: string[] = []
  expect(xml.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#39);)/)
  for (const [, slash, name = '', rest = ''] of xml.matchAll(/<(\/?)([\w:]+)([^<>]*)>/g)) {
    seen.push(name)
    if (slash === '/') expect(open.pop()).toBe(name)
    else if (!rest.endsWith('/')) open.push(name)
  }
  expect(open).toEqual([])
  return seen
}

describe('the feeds of a page', () => {
  it('are of the page and of each component, under both names', () => {
    const paths = [...filePaths(['checkout', 'search'])]
    expect(paths.filter((path) => path.includes('.atom'))).toEqual([
      'feed.atom',
      'history.atom',
      'components/checkout/feed.atom',
      'components/checkout/history.atom',
      'components/search/feed.atom',
      'components/search/history.atom',
    ])
    for (const path of paths) expect(renderFile(view, path)).not.toBeNull()
    for (const path of [
      'components/other/feed.atom',
      'components/feed.atom',
      'feed.json',
      'components/search/',
    ])
      expect(renderFile(view, path)).toBeNull()
    expect(renderFile(view, 'feed.atom')?.type).toBe('application/atom+xml; charset=utf-8')
    expect(renderFile(view, 'feed.rss')?.type).toBe('application/rss+xml; charset=utf-8')
  })

  it('tell maintenance of the component alone', () => {
    expect(bodyOf(view, 'components/search/feed.atom')).toContain('<title>Example Shop: Search</title>')
    expect(bodyOf(view, 'components/search/feed.atom')).toContain('<title>Maintenance of Search</title>')
    expect(bodyOf(view, 'components/checkout/feed.atom')).not.toContain('<entry>')
    expect(bodyOf(view, 'components/checkout/feed.rss')).not.toContain('<item>')
  })

  it('keep the identity of an entry, whose time is that of its last change', () => {
    const later = pageViewOf({
      maintenance: [window],
      atMs: window.fromMs + 1,
      url: 'https://other.example/',
    })
    expect(idsIn(bodyOf(later, 'feed.atom'))).toEqual(idsIn(bodyOf(view, 'feed.atom')))
    expect(idsIn(bodyOf(later, 'feed.rss'))).toEqual(idsIn(bodyOf(view, 'feed.atom')).slice(1))
    expect(bodyOf(view, 'feed.atom')).toContain('<updated>2024-09-20T13:00:00.000Z</updated>')
    expect(bodyOf(later, 'feed.atom')).toContain('<updated>2024-10-04T13:00:00.000Z</updated>')
    expect(bodyOf(later, 'feed.rss')).toContain('<pubDate>Fri, 04 Oct 2024 13:00:00 GMT</pubDate>')
    expect(bodyOf(later, 'feed.rss')).toContain('In progress: ')
  })

  it.each(['feed.atom', 'feed.rss'])('are well-formed whatever names say: %s', (path) => {
    const evil = `]]></title><script>"'&amp;\u0000\u0007\ud800`
    const [group] = view.groups
    const components = group!.components.map((one) => ({ ...one, name: evil }))
    const body = bodyOf({ ...view, title: evil, groups: [{ name: evil, components }] }, path)
    const tags = tagsOf(body)
    expect(tags).not.toContain('script')
    expect(tags).toContain(path === 'feed.atom' ? 'entry' : 'item')
    expect(body.isWellFormed()).toBe(true)
  })

  it('have what Atom asks for', () => {
    const body = bodyOf(view, 'history.atom')
    for (const part of ['<id>', '<title>', '<updated>', '<author><name>', 'rel="self"', 'rel="alternate"'])
      expect(body).toContain(part)
    expect(body).toContain('href="https://status.shop.example/history.atom"')
  })
})

describe('what people wrote', () => {
  const resolved = incidentOf({
    phase: 'resolved',
    resolvedAtMs: atMs,
    changedAtMs: atMs,
    updates: [
      { phase: 'investigating', atMs: atMs - hourMs, text: 'We *look* <into> it.' },
      { phase: 'resolved', atMs, text: 'All is well.' },
    ],
    postmortem: 'A `disk` was full.',
  })
  const written = pageViewOf({ incidents: [resolved] })

  it('is one entry of the page and of the components that it touches, with all that was said', () => {
    const feed = bodyOf(written, 'feed.atom')
    expect(feed.match(/<entry>/g)).toHaveLength(1)
    expect(feed).toContain('href="https://status.shop.example/incidents/payments-fail.html"')
    expect(feed).toContain('<updated>2024-10-04T12:00:00.000Z</updated>')
    expect(feed).toContain(escaped('<p>We <em>look</em> &lt;into&gt; it.</p>'))
    expect(feed).toContain(escaped('<p>A <code>disk</code> was full.</p>'))
    expect(feed.indexOf('All is well')).toBeLessThan(feed.indexOf('look'))
    expect(bodyOf(written, 'components/checkout/feed.rss')).toContain('<title>Payments fail</title>')
    expect(bodyOf(written, 'components/search/feed.rss')).not.toContain('<item>')
    for (const name of ['feed.atom', 'feed.rss']) tagsOf(bodyOf(written, name))
  })
})
