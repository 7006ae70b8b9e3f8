// A page as HTML: what it says in each language, what it never lets through, and how it looks for machines.
import { describe, expect, it } from 'vitest'
import { pageTexts } from '../../config/fleet-file/status-page-words.ts'
import type { ComponentState } from '../component-state.ts'
import { incidentOf, pageViewOf, windowOf } from '../page-view.fixture.ts'
import type { PageView } from '../page-view.ts'
import { renderFile } from '../render-file.ts'
import { htmlPage, withStaleNote } from './html-page.ts'
import { escaped } from './markup.ts'
import { percent } from './page-words.ts'

const bodyOf = (view: Partial<PageView>) => htmlPage(pageViewOf(view)).body.replace(/<style>.*<\/style>/s, '')

describe('a page', () => {
  it.each<[ComponentState, string, string]>([
    ['operational', 'All systems operational', 'Alle Systeme laufen'],
    ['under_maintenance', 'Maintenance in progress', 'Wartung läuft'],
    ['no_data', 'The state of some systems is not known', 'Der Zustand einiger Systeme ist nicht bekannt'],
    ['partial_outage', 'Some systems are partly down', 'Einige Systeme sind teilweise ausgefallen'],
    ['major_outage', 'Some systems are down', 'Einige Systeme sind ausgefallen'],
  ])('says in one sentence that it is %s', (state, english, german) => {
    expect(bodyOf({ state })).toContain(`<h1>${english}</h1>`)
    expect(bodyOf({ state, language: 'de' })).toContain(`<h1>${german}</h1>`)
    expect(bodyOf({ state, language: 'de' })).toContain('<html lang="de">')
  })

  it('shows bars with words for people who cannot see them', () => {
    const days = [null, 1, 0.5, ...Array.from({ length: 87 }, () => 1)]
    const body = bodyOf({ groups: [groupWith({ days, uptime: 0.99438 })], today: 20_000 })
    expect(body).toContain(
      'aria-label="The last 90 days: 99.43 % uptime; 1 day with failures, 1 day without data."',
    )
    expect(body).toContain('<title>9 Jul 2024: 50.00 %</title>')
    expect(body.match(/<path class="none"/g)).toHaveLength(1)
    expect(body).toContain('<span>99.43 % uptime</span>')
  })

  it('never draws a day without data as healthy', () => {
    const body = bodyOf({ groups: [groupWith({ days: Array(90).fill(null), uptime: null })] })
    expect(body).not.toContain('class="full"')
    expect(body).toContain('no data yet')
  })

  it('says since when it is not up to date', () => {
    const body = bodyOf({ staleSinceMs: Date.parse('2024-10-04T12:00Z'), timezone: 'Europe/Berlin' })
    expect(body).toContain(
      'has not been up to date since <time datetime="2024-10-04T12:00:00.000Z">4 Oct 2024, 14:00',
    )
    expect(bodyOf({})).not.toContain('role="status"')
  })

  it('is marked by whoever keeps a copy that is no longer up to date', () => {
    const { body } = htmlPage(pageViewOf({ language: 'de' }))
    const marked = withStaleNote(body, Date.parse('2024-10-04T12:00Z'))
    expect(marked).toMatch(
      /<p class="card stale" role="status">Diese Seite ist seit <time[^>]*>4\. Okt\.? 2024, 12:00<\/time> UTC/,
    )
    expect(marked.replace(/<p class="card stale".*<\/p>\n/, '')).toBe(body)
  })

  it('shows maintenance by its components, the next five at once', () => {
    const nights = Array.from({ length: 7 }, (_, night) =>
      windowOf({
        id: `m${night}`,
        componentIds: ['checkout'],
        fromMs: 1_000 + night * 100,
        untilMs: 1_050 + night * 100,
      }),
    )
    const body = bodyOf({ maintenance: nights, atMs: 1_110 })
    expect(body.match(/Planned/g)).toHaveLength(5)
    expect(body.match(/In progress/g)).toHaveLength(1)
    expect(body.match(/Done/g)).toHaveLength(1)
    expect(body).toContain('<summary>2 more</summary>')
    expect(bodyOf({})).toContain('No maintenance is planned in the next 14 days.')
  })

  it('has every text as text', () => {
    const evil = `</title><script>alert(1)</script>"'&<img src=x onerror=alert(1)>\u0000\ud800`
    const body = bodyOf({
      title: evil,
      timezone: 'UTC',
      links: [{ name: evil, url: 'https://shop.example/?a=1&b="' }],
      groups: [
        { name: evil, components: [{ ...groupWith({}).components[0]!, name: evil, description: evil }] },
      ],
      maintenance: [windowOf({ id: 'm', componentIds: ['checkout'], fromMs: 0, untilMs: 9e12 })],
      incidents: [incidentOf({ title: evil, updates: [{ phase: 'investigating', atMs: 0, text: evil }] })],
    })
    expect(body).not.toMatch(/<script|<img|onerror=alert\(1\)>|\u0000/)
    expect(body).toContain('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;img')
    expect(body).toContain('href="https://shop.example/?a=1&amp;b=&quot;"')
    expect(body.isWellFormed()).toBe(true)
  })

  it('allows a browser its one style, and nothing else', () => {
    const { contentSecurityPolicy = '' } = htmlPage(pageViewOf({}))
    expect(contentSecurityPolicy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; /,
    )
    expect(contentSecurityPolicy).toContain("frame-ancestors 'none'")
    expect(htmlPage(pageViewOf({})).body).not.toMatch(/\ssrc=|style=|<link rel="(?!icon|alternate)/)
  })
})

describe('words of people', () => {
  const { en: english = {} } = pageTexts
  const evil = '<script>alert(1)</script>'
  const words = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, `${evil}${text}`]))

  it('are text wherever they stand', () => {
    const view = pageViewOf({
      language: 'fr',
      words,
      staleSinceMs: 0,
      maintenance: [windowOf({ id: 'm', componentIds: ['checkout'], fromMs: 0, untilMs: 9e12 })],
      incidents: [
        incidentOf({}),
        incidentOf({ id: 'over', phase: 'resolved', resolvedAtMs: Date.parse('2024-10-04') }),
      ],
    })
    for (const path of [
      '',
      'history.html',
      'history/2024-10.html',
      'incidents/over.html',
      'feed.atom',
      'feed.rss',
    ]) {
      const { body } = renderFile(view, path)!
      expect([path, body.includes('<script')]).toEqual([path, false])
    }
    expect(bodyOf({ language: 'fr', words })).toContain(
      '&lt;script&gt;alert(1)&lt;/script&gt;All systems operational',
    )
  })

  it('keep their values, whatever these look like', () => {
    const [group] = pageViewOf({}).groups
    const component = { ...group!.components[0]!, name: '{components} $& {count}' }
    const body = bodyOf({ groups: [{ name: 'G', components: [component] }], incidents: [incidentOf({})] })
    expect(body).toContain('About {components} $&amp; {count} · ')
    const marked = withStaleNote(htmlPage(pageViewOf({ language: 'fr', words })).body, 0)
    expect(marked).toContain('alert(1)&lt;/script&gt;This page has not been up to date since <time')
  })

  it('run from right to left where the language does', () => {
    expect(bodyOf({ language: 'ar', words: english })).toContain('<html lang="ar" dir="rtl">')
    expect(bodyOf({})).toContain('<html lang="en">')
  })
})

it('cuts percentages, so that only what never failed is 100', () => {
  expect([1, 0.999999, 0.99996, 0.5, 0].map((share) => percent(share, 'en-GB'))).toEqual([
    '100',
    '99.99',
    '99.99',
    '50.00',
    '0.00',
  ])
  expect(percent(0.99987, 'de-DE')).toBe('99,98')
})

it('leaves out what XML does not allow', () => {
  expect(escaped('a\u0000\u001b\ufffe\ud800b😀\n')).toBe('ab😀\n')
})

function groupWith(component: Partial<PageView['groups'][number]['components'][number]>) {
  const [group] = pageViewOf({}).groups
  return { name: 'Shop', components: [{ ...group!.components[0]!, ...component }] }
}

describe('incidents that people wrote', () => {
  const { atMs } = pageViewOf({})
  const dayMs = 86_400_000
  const over = (id: string, startedAtMs: number) =>
    incidentOf({
      id,
      title: `Over ${id}`,
      phase: 'resolved',
      startedAtMs,
      resolvedAtMs: startedAtMs + 1_000,
      updates: [{ phase: 'resolved', atMs: startedAtMs + 1_000, text: `Words of ${id}.` }],
    })
  const view = {
    incidents: [incidentOf({}), over('recent', atMs - 3 * dayMs), over('old', atMs - 40 * dayMs)],
  }
  const pageAt = (path: string, of: Partial<PageView> = view) =>
    renderFile(pageViewOf(of), path)?.body.replace(/<style>.*<\/style>/s, '') ?? null

  it('are on the front page while they last and for two weeks', () => {
    const body = bodyOf(view)
    expect(body).toMatch(
      /class="card incident partial_outage">\n<h2><a href="incidents\/payments-fail.html">/,
    )
    expect(body).toContain('<p>We are <strong>looking</strong>.</p>')
    expect(body).toContain('<a href="incidents/recent.html">Over recent</a>')
    expect(body).not.toContain('Over old')
    expect(body).toContain('<a href="history.html">All incidents by month</a>')
    expect(bodyOf({ incidents: [over('old', 0)] })).toContain('No incidents in the last 14 days.')
    expect(bodyOf({})).not.toContain('Past incidents')
  })

  it('have a page each, with all that was said', () => {
    const body = pageAt('incidents/payments-fail.html', {
      incidents: [
        incidentOf({
          phase: 'resolved',
          resolvedAtMs: atMs,
          updates: [
            { phase: 'identified', atMs: atMs - 1_000, text: 'First.' },
            { phase: 'resolved', atMs, text: 'Second.' },
          ],
          postmortem: 'We *learned*.',
        }),
      ],
      language: 'de',
    })!
    expect(body).toContain('<title>Example Shop: Payments fail</title>')
    expect(body).toContain('href="../feed.atom"')
    expect(body).toContain('Betrifft Checkout')
    expect(body).toContain('<p>We <em>learned</em>.</p>')
    expect(body.indexOf('<strong>Behoben')).toBeLessThan(body.indexOf('<strong>Ursache gefunden'))
    expect(pageAt('incidents/unknown.html')).toBeNull()
  })

  it('are listed by the months of the zone of the page', () => {
    const edge = Date.parse('2024-08-31T23:30:00Z')
    const zoned = { incidents: [over('recent', atMs), over('edge', edge)], timezone: 'Europe/Berlin' }
    expect(pageAt('history.html', zoned)!.match(/history\/[\d-]+/g)).toEqual([
      'history/2024-10',
      'history/2024-09',
    ])
    expect(pageAt('history/2024-09.html', zoned)).toContain('Over edge')
    expect(pageAt('history/2024-09.html', zoned)).toContain(
      '<a href="../history/2024-10.html">October 2024</a>',
    )
    expect(pageAt('history/2024-08.html', zoned)).toBeNull()
    expect(pageAt('history.html', {})).toContain('There are no incidents.')
  })
})
