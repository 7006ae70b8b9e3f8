// The documentation as a site, in a real browser: it loads nothing from other hosts, reads well in both
// themes and on a phone, and a message that is pasted into its search leads to its explanation.
import { join } from 'node:path'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { buildSite } from '../scripts/docs/build-site.ts'
import { type ServedSite, serveSite } from '../scripts/docs/serve-site.ts'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'

describeLongInBrowser('the documentation', () => {
  let folder: TemporaryFolder
  let site: ServedSite
  let browser: Browser
  beforeAll(async () => {
    folder = temporaryFolder()
    await buildSite(join(import.meta.dirname, '..'), folder.path('site'))
    site = await serveSite(folder.path('site'), 0)
    browser = await chromium.connect(inject('browserEndpoint')!)
  })
  afterAll(async () => {
    await browser.close()
    await site[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  /** A page, and every request of it that goes to another host. */
  async function open(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url)) foreign.push(request.url())
    })
    const faults = faultsOf(page)
    await page.goto(`${site.url}${path}`)
    return { page, foreign, faults, [Symbol.asyncDispose]: () => context.close() }
  }

  const search = (page: Page) => page.getByRole('searchbox', { name: 'Search the documentation' })

  it.each([
    'index.html',
    'first-ten-minutes.html',
    'operating.html',
    'generated/messages/codes.html',
    'generated/checks/http.html',
    'project/contributing.html',
  ])('shows %s without a fault in both themes, and without another host', async (path) => {
    await using opened = await open(path, { colorScheme: 'light' })
    const { page } = opened
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => search(page).isEnabled()).toBe(true)
    expect(await violationsOf(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(page, { others: false })).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(() => page.getByText('Menu', { exact: true }).isVisible()).toBe(true)
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    expect(await violationsOf(page, { contrast: false })).toEqual([])
    expect(opened.faults).toEqual([])
    expect(opened.foreign).toEqual([])
  })

  it('leads from a pasted message to its row', async () => {
    await using opened = await open('operating.html')
    const { page } = opened
    await page.keyboard.press('/')
    await search(page).fill('pulseward: There is no store in /var/lib/pulseward.')
    const found = page.locator('#results a').filter({ hasText: 'There is no store in ….' })
    await found.first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/generated\/messages\/\w+\.html#there-is-no-store-in/)
    expect(await page.locator('tr:target').innerText()).toContain('There is no store in ….')
    expect(opened.foreign).toEqual([])
    expect(opened.faults).toEqual([])
  })

  it('says when nothing is found, and when it cannot search', async () => {
    await using opened = await open('index.html')
    const { page } = opened
    await expect.poll(() => search(page).isEnabled()).toBe(true)
    await search(page).fill('zzzzqqq')
    await page.locator('#results').getByText('Nothing was found. Try fewer words.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.route('**/search-index.json', (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await expect.poll(() => search(page).isEnabled()).toBe(true)
    await search(page).fill('nginx')
    await page.locator('#results').getByText('The search could not be loaded.').waitFor()
  })

  it('keeps the appearance that was chosen on the next page', async () => {
    await using opened = await open('index.html', { colorScheme: 'light' })
    const { page } = opened
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await background()
    await page.getByRole('combobox', { name: 'Appearance' }).selectOption('dark')
    await expect.poll(background).not.toBe(light)
    await page.getByRole('main').getByRole('link', { name: 'Write a fleet' }).click()
    await page.getByRole('heading', { level: 1, name: 'Write a fleet' }).waitFor()
    expect(await background()).not.toBe(light)
  })
})
