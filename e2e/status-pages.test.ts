// A status page in a real browser, over a store with a past: clean for axe in both themes and at every width, complete
// without scripts and on paper, and names that are markup do nothing.
import { eventually } from '@pulseward/testing'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { inBothThemes } from './themes.ts'
import type { TroubledTarget } from './troubled-fleet.ts'
import { writePast } from './written-past.ts'

/** White on a color, so that it can be seen in both themes. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 36"><rect width="120" height="36" rx="8" fill="#2f5bea"/><path d="M14 24h92M14 12h60" stroke="#fff" stroke-width="5" stroke-linecap="round"/></svg>`

const monitorIds = ['checkout', 'search', 'mail', 'pay', 'account']

/** Each would run, load or break something if it were not text. */
const hostileTexts = [
  '<img src=x onerror=alert(1)>',
  '</title><script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><style>body{display:none}',
  'javascript:alert(1)',
  '<!--',
  ']]>&#60;script&#62;alert(1)&#60;/script&#62;',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202egnp.exe',
]

function fleetOf(target: TroubledTarget): object {
  target.breaks('/checkout')
  for (const id of ['search', 'mail', 'pay', 'account']) target.mends(`/${id}`)
  const check = (id: string) => ({
    ...{ type: 'http', interval: '1s', timeout: '1s', unhealthy_threshold: 1 },
    config: { url: target.url(`/${id}`) },
  })
  const night = { cron: '0 3 * * *', duration: '1h' }
  const now = { start: '2020-01-01T00:00:00Z', end: '2090-01-01T00:00:00Z' }
  const windows: Readonly<Record<string, object>> = { mail: night, account: now }
  const component = (id: string, name: string, monitors: readonly string[], description?: string) => ({
    ...{ id, name, monitors },
    ...(description === undefined ? {} : { description }),
  })
  return {
    version: 1,
    status_pages: {
      shop: {
        title: 'Example Shop',
        host: 'status.shop.example',
        timezone: 'Europe/Berlin',
        logo: { type: 'image/svg+xml', data: Buffer.from(logo).toString('base64') },
        groups: [
          {
            name: 'Shop',
            components: [
              component('checkout', 'Checkout', ['checkout', 'pay'], 'Cart and payment.'),
              component('search', 'Search', ['search']),
            ],
          },
          {
            name: 'Around the shop',
            components: [
              component('mail', 'E-mail', ['mail']),
              component('account', 'Accounts', ['account']),
              component('idle', 'Archive', ['idle']),
            ],
          },
        ],
        links: [{ name: 'Contact', url: 'https://shop.example/contact' }],
      },
      laden: {
        title: 'Beispielladen',
        language: 'de',
        groups: [{ name: 'Laden', components: [component('search', 'Suche', ['search'])] }],
      },
      hostile: {
        title: hostileTexts[0],
        groups: hostileTexts.map((text, number) => ({
          name: text,
          components: [component(`c${number}`, text, ['mail'], text)],
        })),
        links: hostileTexts.map((name) => ({ name: name.slice(0, 64), url: 'https://shop.example/"><x>' })),
      },
    },
    monitors: [
      ...monitorIds.map((id) => ({
        ...{ id, name: id, check: check(id) },
        ...(windows[id] === undefined ? {} : { maintenance: [windows[id]] }),
      })),
      { id: 'idle', name: 'idle', enabled: false, check: check('idle') },
    ],
  }
}

describeInBrowser('a status page', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate', {
      before: (directory) => writePast(directory, monitorIds),
      fleet: fleetOf,
    })
    await eventually(async () => {
      const answer = await fetch(`${service.url}/status/shop/api/v2/components.json`)
      const { components } = (await answer.json()) as { components: { id: string; status: string }[] }
      const stateOf = (id: string) => components.find((component) => component.id === id)?.status
      const states = ['checkout', 'search', 'mail', 'account'].map(stateOf)
      expect(states).toEqual(['partial_outage', 'operational', 'operational', 'under_maintenance'])
    })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** Opens the page when it shows everything there is. */
  async function openShop(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await service.open('/status/shop', options)
    await page.getByRole('heading', { level: 1, name: 'Some systems are partly down' }).waitFor()
    return page
  }

  inBothThemes((colorScheme) => {
    it.each([1440, 390, 320])('is clean for axe and fits at %d pixels', async (width) => {
      await using page = await openShop({ colorScheme, viewport: { width, height: 900 } })
      expect(await violationsOf(page, { contrast: width === 1440 })).toEqual([])
      expect(await sidewaysPixels(page)).toBe(0)
      const folder = process.env['PULSEWARD_PICTURES']
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/status-${colorScheme}-${width}.png`, fullPage: true })
    })
  })

  it('says without a script what works and what does not', async () => {
    await using page = await openShop({ javaScriptEnabled: false })
    const states = await page.locator('.state').allTextContents()
    expect(states).toEqual(['Partial outage', 'Operational', 'Operational', 'Under maintenance', 'No data'])
    await page
      .getByRole('img', { name: /^The last 90 days: 9\d\.\d\d % uptime; \d+ days with failures, / })
      .first()
      .waitFor()
    await page.getByText('Maintenance', { exact: true }).waitFor()
    expect(await page.getByText('Planned').count()).toBeGreaterThan(0)
    await page.getByText('Times are in Europe/Berlin.').waitFor()
  })

  it('shows its logo, which no policy keeps from being loaded', async () => {
    await using page = await openShop({ javaScriptEnabled: false })
    const picture = page.locator('img.logo')
    await picture.waitFor()
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
    // A picture that could not be loaded has no width.
    expect([Math.round(width), Math.round(height)]).toEqual([120, 36])
  })

  it('speaks German, and is whole on paper', async () => {
    await using page = await service.open('/status/laden/')
    await page.getByRole('heading', { level: 1, name: 'Alle Systeme laufen' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.bars').first().isVisible()).toBe(true)
    expect(await violationsOf(page, { contrast: false })).toEqual([])
  })

  it('takes names for text, whatever they say', async () => {
    await using page = await service.emptyPage()
    const faults = faultsOf(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${service.url}/status/hostile/`)
    await page.locator('h1').waitFor()
    expect(await page.locator('h3').filter({ hasNotText: 'E-mail' }).allTextContents()).toEqual(
      expect.arrayContaining(hostileTexts),
    )
    for (const target of await page.locator('h3:visible').all()) await target.hover()
    expect(await page.locator('script, img, [onload], [onerror], [onmouseover]').count()).toBe(0)
    // The page alone: nothing is loaded with it.
    expect(asked).toEqual(['/status/hostile/'])
    expect(faults).toEqual([])
    for (const path of ['feed.atom', 'feed.rss', 'components/c0/feed.atom']) {
      const response = await page.request.get(`${service.url}/status/hostile/${path}`)
      const parsed = await page.evaluate(
        (xml) =>
          new DOMParser().parseFromString(xml, 'text/xml').querySelector('parsererror')?.textContent ?? '',
        await response.text(),
      )
      expect([path, parsed]).toEqual([path, ''])
    }
  })
})
