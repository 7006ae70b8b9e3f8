// Status pages as they are written in fleet files: what is read of them, and what is said about each mistake.
import { rmSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { loadFleetFiles, mistakesIn } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { badgeKeyDigest } from './status-page-definition.ts'
import { isUnchanged, withPageFiles } from './status-page-files.ts'
import { pageTexts } from './status-page-words.ts'

const pages = `status_pages:
  shop:
    title: Example Shop
    host: status.shop.example
    timezone: Europe/Berlin
    language: de
    groups:
      - name: Shop
        components:
          - { id: checkout, name: Checkout, description: Pay., monitors: [api, web, api], down_when: 25% }
          - { id: search, name: Search, match: { service: search, tag: eu }, auto: true }
    links: [{ name: Contact, url: "https://shop.example/contact" }]
  inside: { title: Inside, groups: [{ name: All, components: [{ id: api, name: API, monitors: [api] }] }] }`
const check = 'check: { type: tcp, config: { host: a, port: 1 } }'
const monitors = `monitors:
  - { id: api, name: api, labels: { service: search }, ${check} }
  - { id: web, name: web, tags: [eu], ${check} }
  - { id: both, name: both, tags: [eu], labels: { service: search }, ${check} }`
const whole = `${pages}\n${monitors}\n`
const withChange = (from: string, to: string) => {
  if (!whole.includes(from)) throw new Error(`the fleet has no ${from}`)
  return whole.replace(from, to)
}

describe('status pages of a fleet file', () => {
  it('are read', async () => {
    const { definition } = await loadFleetFiles(whole)
    expect([...definition.statusPages.keys()]).toEqual(['shop', 'inside'])
    expect(definition.statusPages.get('shop')).toEqual({
      title: 'Example Shop',
      host: 'status.shop.example',
      tokenDigests: [],
      timezone: 'Europe/Berlin',
      language: 'de',
      words: null,
      logo: null,
      groups: [
        {
          name: 'Shop',
          components: [
            {
              id: 'checkout',
              name: 'Checkout',
              description: 'Pay.',
              monitors: ['api', 'web'],
              match: null,
              downShare: 0.25,
              auto: false,
            },
            {
              id: 'search',
              name: 'Search',
              description: null,
              monitors: [],
              match: { service: 'search', tag: 'eu' },
              downShare: 0.5,
              auto: true,
            },
          ],
        },
      ],
      links: [{ name: 'Contact', url: 'https://shop.example/contact' }],
    })
    expect(definition.statusPages.get('inside')).toMatchObject({
      host: null,
      timezone: 'UTC',
      language: 'en',
    })
  })

  it.each([
    [
      'inside: { title: Inside,',
      'inside: { title: Inside, host: status.shop.example,',
      '13: status_pages.inside.host: "status.shop.example" is the host of the status page "shop"; a host shows one page.',
    ],
    [
      'host: status.shop.example',
      'host: 192.0.2.1',
      '4: status_pages.shop.host: "192.0.2.1" is an address; write a host name such as status.shop.example.',
    ],
    [
      'timezone: Europe/Berlin',
      'timezone: Europe/Berlim',
      '5: status_pages.shop.timezone: "Europe/Berlim" is not a time zone; write one such as Europe/Berlin.',
    ],
    [
      'https://shop.example/contact',
      'https://shop.example:port/',
      '12: status_pages.shop.links[0].url: "https://shop.example:port/" is not an address.',
    ],
    [
      'id: search,',
      'id: checkout,',
      '11: status_pages.shop.groups[0].components[1].id: "checkout" is the id of groups[0].components[0] already; give this component another one.',
    ],
    [
      ', match: { service: search, tag: eu }, auto: true }',
      ' }',
      '11: status_pages.shop.groups[0].components[1]: has no monitors; name some, or select them by match.',
    ],
    [
      'match: { service: search, tag: eu }',
      'match: {}',
      '11: status_pages.shop.groups[0].components[1].match: selects every monitor; name at least one label, such as { service: search }.',
    ],
    [
      'match: { service: search, tag: eu }',
      'match: { service: serch }',
      '11: status_pages.shop.groups[0].components[1].match: selects no monitor; write labels that some monitor has.',
    ],
    [
      'match: { service: search, tag: eu }',
      'match: { service: search, tag: us }',
      '11: status_pages.shop.groups[0].components[1].match: selects no monitor; write labels that some monitor has.',
    ],
    [
      'monitors: [api, web, api]',
      'monitors: [api, wob]',
      '10: status_pages.shop.groups[0].components[0].monitors[1]: there is no monitor "wob". Did you mean "web"?',
    ],
  ])('name a mistake: %s → %s', async (from, to, sentence) => {
    expect(await mistakesIn(withChange(from, to))).toEqual([sentence])
  })

  it.each([
    ['monitors: [api, web, api]', 'monitors: []', 'monitors'],
    ['down_when: 25%', 'down_when: 0%', 'down_when'],
    ['down_when: 25%', 'down_when: 101%', 'down_when'],
    ['host: status.shop.example', 'host: Status.Shop.Example', 'host'],
    ['host: status.shop.example', 'host: "status.shop.example:443"', 'host'],
    ['"https://shop.example/contact"', '"javascript:alert(1)"', 'url'],
    ['  shop:', '  Shop/1:', 'Shop/1'],
    ['id: checkout', 'id: check/out', 'id'],
    ['language: de', 'language: Deutsch', 'language'],
    ['language: de', 'token_digests: [abc]', 'token_digests'],
    ['title: Example Shop', 'title: "a\\u0007"', 'title'],
    ['language: de', 'access: secret', 'access'],
  ])('refuse what the schema does not know: %s → %s', async (from, to, place) => {
    const mistakes = await mistakesIn(withChange(from, to))
    expect(mistakes.length).toBeGreaterThan(0)
    expect(mistakes[0]).toContain(place)
  })

  describe('with files beside them', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8v8z"/></svg>'
    const french = Object.entries(pageTexts['en']!)
      .flatMap(([key, text]) =>
        [key, ...(key.endsWith('.other') ? [key.replace('other', 'many')] : [])].map(
          (name) => `${name}: ${JSON.stringify(`${text} (fr)`)}`,
        ),
      )
      .join('\n')
    const withFiles = withChange(
      'language: de',
      'language: fr\n    words: { file: fr.words }\n    logo: { file: ./a.svg }',
    )
    const files = { 'fleet.yaml': withFiles, 'fr.words': french, 'a.svg': svg }

    it('have a logo and words of another language', async () => {
      const { definition, pageFiles } = await loadFleetFiles(files)
      const { logo, words, language } = definition.statusPages.get('shop')!
      expect([language, words?.['today']]).toEqual(['fr', 'Today (fr)'])
      expect(logo).toEqual({ type: 'image/svg+xml', data: Buffer.from(svg).toString('base64') })
      expect(pageFiles.map(({ path }) => path.replace(/.*\//, ''))).toEqual(['a.svg', 'fr.words'])
      const inline = withChange('language: de', `logo: ${JSON.stringify(logo)}`)
      expect((await loadFleetFiles(inline)).definition.statusPages.get('shop')!.logo).toEqual(logo)
    })

    it('are known to be the same only while they are', async () => {
      using folder = temporaryFolder({ 'a.svg': svg })
      const page = { title: 'S', groups: [], logo: { file: 'a.svg' } }
      const [file] = withPageFiles(page, folder.path('fleet.yaml')).files
      expect(isUnchanged(file!)).toBe(true)
      folder.write('a.svg', `${svg} `)
      expect(isUnchanged(file!)).toBe(false)
      rmSync(folder.path('a.svg'))
      expect(isUnchanged(file!)).toBe(false)
    })

    it.each<[Record<string, string>, string]>([
      [
        { 'a.svg': svg.replace('<path', '<script/><path') },
        '.logo: has the element script; a logo is a picture and nothing else.',
      ],
      [{ 'a.svg': ' '.repeat(65_537) }, '.logo.file: the file ./a.svg is larger than 64 KiB.'],
      [{ 'fr.words': 'today: [1' }, '.words.file: the file fr.words cannot be understood: '],
      [
        { 'fr.words': '- one' },
        '.words.file: the file fr.words is not a mapping of names to texts, as `pulseward status words` prints it.',
      ],
      [
        { 'fr.words': french.replace('today:', 'todai:') },
        '.words.todai: is not a word of a page; `pulseward status words` prints all.',
      ],
      [
        { 'fleet.yaml': withFiles.replace('fr.words', 'none.words') },
        '.words.file: the file none.words does not exist.',
      ],
      [
        { 'fleet.yaml': withFiles.replace('./a.svg', 'a.gif') },
        '.logo.file: the file a.gif is neither a .png nor a .svg.',
      ],
      [
        { 'fleet.yaml': withFiles.replace('{ file: ./a.svg }', '{}') },
        '.logo: needs a file: { file: logo.svg }, or type and data.',
      ],
      [
        { 'fleet.yaml': withFiles.replace('language: fr', 'language: xx') },
        '.language: "xx" is not a language whose dates and numbers are known here.',
      ],
    ])('name a mistake in them: %j', async (change, sentence) => {
      const [first = '', ...others] = await mistakesIn({ ...files, ...change })
      expect(first).toContain(`status_pages.shop${sentence}`)
      expect(others.filter((one) => !one.includes('.words: lack'))).toEqual([])
    })
  })

  it.each([
    [
      'access: token',
      'access: is token, but no token opens the page; write the digest of one, as `pulseward status token` prints it.',
    ],
    [
      `token_digests: ["${'0'.repeat(64)}"]`,
      'token_digests: has no effect on a page that everybody may read; write access: token.',
    ],
    [
      'language: fr',
      'language: "fr" has no words here; write en or de, or give words: translate what `pulseward status words` prints.',
    ],
  ])('name a mistake: %s', async (line, sentence) => {
    const [mistake, ...others] = await mistakesIn(withChange('language: de', line))
    expect([mistake, others]).toEqual([expect.stringContaining(`status_pages.shop.${sentence}`), []])
  })

  it('can need a token', async () => {
    const digest = '0'.repeat(64)
    const { definition } = await loadFleetFiles(
      withChange('language: de', `access: token\n    token_digests: ["${digest}"]`),
    )
    expect(definition.statusPages.get('shop')!.tokenDigests).toEqual([digest])
  })

  describe('and badges', () => {
    const key = '0123456789abcdefghijkl'
    const withBadge = (badge: string, of = key) => `${whole}badges: { ${of}: ${badge} }\n`
    const place = `17: badges.0123456789abcdefghijkl`.replace('17', String(whole.split('\n').length))
    const atKey = place.replace(/badges\.(.*)/, 'badges["$1"]')

    it('are read, by the digests of their keys', async () => {
      const both = `${withBadge('{ component: shop/search, shows: uptime-30d, label: search }').trimEnd().slice(0, -1)}, ${key}m: { monitor: web, shows: latency } }\n`
      const { definition } = await loadFleetFiles(both)
      const badges = new Map([...definition.badges.values()].map((badge) => [badge.keyDigest, badge]))
      expect(badges.get(badgeKeyDigest(key))).toMatchObject({
        subject: { page: 'shop', id: 'search' },
        shows: 'uptime-30d',
        label: 'search',
      })
      expect(badges.get(badgeKeyDigest(`${key}m`))).toMatchObject({
        subject: { monitor: 'web' },
        label: null,
      })
    })

    it.each([
      ['{ shows: status }', ': names neither a component nor a monitor; name one of them.'],
      [
        '{ component: shop/search, monitor: web, shows: status }',
        ': names both a component and a monitor; name one of them.',
      ],
      [
        '{ component: shop/serch, shows: status }',
        '.component: there is no component "shop/serch"; write PAGE/COMPONENT as they are under status_pages.',
      ],
      ['{ monitor: wob, shows: status }', '.monitor: there is no monitor "wob". Did you mean "web"?'],
    ])('name a mistake: %s', async (badge, sentence) => {
      expect(await mistakesIn(withBadge(badge))).toEqual([`${atKey}${sentence}`])
    })

    it('have keys that nobody guesses', async () => {
      expect(await mistakesIn(withBadge('{ monitor: web, shows: status }', 'short'))).toHaveLength(1)
    })
  })

  it('may be about monitors of v2 if the files have nothing else', async () => {
    expect(await mistakesIn(pages)).toEqual([])
    expect(await mistakesIn(`${pages}\nendpoints: { log: { type: log } }\n`)).toHaveLength(5)
  })

  it('of several files make one fleet, and no name is there twice', async () => {
    const [, second] = pages.split('  inside:')
    const files = { 'a.yaml': whole, 'b.yaml': `status_pages:\n  inside:${second}\n` }
    const mistakes = (await mistakesIn(files)).map((mistake) => mistake.replace(/in \S*(a\.yaml)/, 'in $1'))
    expect(mistakes).toEqual(['b.yaml:2: status_pages.inside: "inside" is already defined in a.yaml.'])
  })
})
