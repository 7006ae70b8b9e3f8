// The overview and the list at the size of most fleets: what is wrong first, by name, with the last hours of each monitor;
// sorted and filtered; within a glance on a desk and on a phone.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { enlarged, faultsOf, sidewaysPixels, smallPageFaults, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { hostileName, type TroubledTarget } from './troubled-fleet.ts'
import { writePast } from './written-past.ts'

interface FileMonitor {
  id: string
  name: string
  tags: string[]
  labels?: Readonly<Record<string, string>>
  enabled?: boolean
}

const phone = { viewport: { width: 390, height: 844 } } as const
const desk = { viewport: { width: 1440, height: 900 } } as const

/** Forty monitors: the four of the troubled fleet, and quiet ones of two teams, one of them switched off. */
function fortyOf(target: TroubledTarget) {
  const fleet = target.fleet(36) as { monitors: FileMonitor[] }
  for (const [index, monitor] of fleet.monitors.entries()) {
    monitor.tags = [index % 2 === 0 ? 'shop' : 'Edge']
    monitor.labels = { team: index < 10 ? 'payments' : 'search' }
  }
  fleet.monitors[5]!.enabled = false
  return fleet
}

const rowNames = (page: Page) => page.locator('tbody tr[data-index] a').allInnerTexts()
const tiles = (page: Page) => page.getByRole('region', { name: 'Monitors' }).getByRole('listitem')
const troubled = (page: Page) => page.getByRole('region', { name: 'Open incidents' })

/** Whether something was painted on the canvas. */
const isPainted = (canvas: Element) => {
  const { width, height } = canvas as HTMLCanvasElement
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
  return data.some((value) => value > 0)
}

describeInBrowser('a fleet of forty', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', {
      fleet: fortyOf,
      before: (directory) => writePast(directory, ['checkout', 'search', 'hostile', 'long']),
    })
    await using page = await service.open('/alerts')
    await page.getByRole('link', { name: 'Checkout' }).first().waitFor()
  })
  afterAll(() => service[Symbol.asyncDispose]())
  const openAsOperator = (path: string, options = {}) =>
    service.openAs(service.operatorToken(), path, options)

  it('is shown on the overview as named tiles, what is wrong first', async () => {
    await using page = await service.open('/', desk)
    const faults = faultsOf(page)
    await expect.poll(() => tiles(page).count()).toBe(40)
    await expect.poll(async () => (await tiles(page).first().innerText()).split('\n')).toContain('Checkout')
    await tiles(page).first().getByText('Incident').waitFor()
    await tiles(page).getByText(hostileName).waitFor()
    await page.getByRole('heading', { level: 3, name: /^shop/ }).waitFor()
    await troubled(page).getByRole('link', { name: 'Checkout' }).waitFor()
    await troubled(page).getByText('Nobody has acknowledged it.').first().waitFor()
    const lastHour = page.getByRole('region', { name: 'Last hour' })
    await lastHour.getByRole('link', { name: 'Checkout' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    // How the service itself is doing has its own view.
    for (const name of ['Queues', 'Storage', 'Punctuality', 'Checks'])
      expect(await page.getByRole('region', { name }).count()).toBe(0)
    await page.goto(`${service.url}/system`)
    for (const name of ['Queues', 'Storage', 'Punctuality', 'Checks'])
      await page.getByRole('region', { name, exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('keeps its jargon behind a mark', { tags: 'long' }, async () => {
    await using page = await service.open('/')
    const mark = page.getByRole('button', { name: 'What this percentage means' })
    await mark.waitFor()
    expect(await page.getByText(/SLA/).count()).toBe(0)
    await mark.focus()
    await page.keyboard.press('Enter')
    await page.getByText(/It is not an SLA measurement\.$/).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByText(/SLA/).waitFor({ state: 'detached' })
    await mark.and(page.locator(':focus')).waitFor()
  })

  it('is listed with what is wrong first, and sorted by its headings', async () => {
    await using page = await service.open('/monitors', desk)
    await page.getByText('1–40 of 40 monitors').waitFor()
    await expect.poll(async () => (await rowNames(page))[0]).toBe('Checkout')
    const status = page.getByRole('columnheader', { name: 'Status' })
    expect(await status.getAttribute('aria-sort')).toBe('ascending')
    const name = page.getByRole('columnheader', { name: 'Monitor' })
    await name.getByRole('button').click()
    await expect.poll(async () => (await rowNames(page))[0]).toBe(hostileName)
    await name.getByRole('button').press('Enter')
    await expect.poll(() => name.getAttribute('aria-sort')).toBe('descending')
    await page.waitForURL(/\?sort=-name$/)
    await expect.poll(async () => (await rowNames(page))[1]).toBe('Search')
    expect(await status.getAttribute('aria-sort')).toBe(null)
    await page.getByRole('columnheader', { name: 'Healthy' }).getByRole('button').click()
    await expect.poll(async () => (await rowNames(page))[0]).toBe('Checkout')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Healthy' }).waitFor()
    await page.waitForURL(/\?sort=healthy_sample_percent$/)
  })

  it('is filtered by tag and by label, and says which filters are in force', async () => {
    await using page = await service.open('/monitors')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Tag' }).fill('edge')
    await page.keyboard.press('Enter')
    await page.getByText('1–20 of 20 monitors that match').waitFor()
    await page.getByRole('textbox', { name: 'Label' }).fill('team=payments')
    await page.keyboard.press('Enter')
    await page.getByText('1–5 of 5 monitors that match').waitFor()
    await page.getByRole('button', { name: 'Filters · 2' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await using other = await service.open(new URL(page.url()).pathname + new URL(page.url()).search)
    await other.getByText('1–5 of 5 monitors that match').waitFor()
    await other.getByRole('button', { name: 'Clear' }).click()
    await other.getByText('1–40 of 40 monitors').waitFor()
  })

  it('shows the last hours of the monitors in sight, and asks for no others', { tags: 'long' }, async () => {
    await using page = await service.emptyPage({ viewport: { width: 1280, height: 400 } })
    const asked = new Set<string>()
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/api/v1/trends/recent')
        for (const id of url.searchParams.get('ids')!.split(',')) asked.add(id)
    })
    await page.goto(`${service.url}/monitors`)
    const strip = page.getByRole('row').filter({ hasText: 'Checkout' }).getByRole('img')
    await expect.poll(() => strip.getAttribute('aria-label')).toMatch(/^[\d.]+ % of checks in the last 3 h/)
    expect(await strip.evaluate(isPainted)).toBe(true)
    const before = asked.size
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => asked.size).toBeGreaterThan(before)
    expect(asked.size).toBeLessThan(40)
  })

  it('is one row of tools on a desk, and begins above the fold of a phone', { tags: 'long' }, async () => {
    await using page = await openAsOperator('/monitors', desk)
    await page.getByText('1–40 of 40 monitors').waitFor()
    const middles = await Promise.all(
      [
        page.getByRole('heading', { level: 1 }),
        page.getByRole('searchbox', { name: 'Name' }),
        page.getByRole('combobox', { name: 'Status' }),
        page.getByRole('button', { name: 'Filters' }),
        page.getByRole('link', { name: 'New monitor' }),
        page.getByRole('button', { name: 'More' }),
      ].map(async (tool) => {
        const { y, height } = (await tool.boundingBox())!
        return y + height / 2
      }),
    )
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(6)
    const first = async () => (await page.locator('tbody tr[data-index="0"]').boundingBox())!
    expect((await first()).y).toBeLessThan(200)
    await page.setViewportSize(phone.viewport)
    await expect.poll(async () => (await first()).y + (await first()).height).toBeLessThan(844 / 2)
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    expect(await violationsOf(page, { contrast: false })).toEqual([])
  })

  it('leads to a new monitor and to editing one, each with the keyboard alone', {
    tags: 'long',
  }, async () => {
    await using page = await openAsOperator('/monitors?q=Checkout')
    await page.getByText('1–1 of 1 monitor that match').waitFor()
    await page.keyboard.press('j')
    await page.getByRole('link', { name: 'Checkout' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).press('Enter')
    await page.waitForURL('**/manage/monitors/checkout')
    const here = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current=page]')
    await expect.poll(() => here.innerText()).toBe('Monitors')
    await page.goto(`${service.url}/manage/monitors`)
    await page.getByRole('heading', { level: 1, name: 'Monitors' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/monitors')
    await page.getByRole('link', { name: 'New monitor' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'New monitor' }).waitFor()
  })

  const fits = 'fits a phone and an enlarged page at %s, and breaks no rule in either theme'
  it.each(['/monitors'])(fits, fitsWhenSmall)
  it.each(['/', '/monitors?tag=shop'])(fits, { tags: 'long' }, fitsWhenSmall)

  async function fitsWhenSmall(path: string): Promise<void> {
    await using page = await openAsOperator(path, enlarged)
    await page.getByRole('main').getByRole('link', { name: 'Checkout' }).first().waitFor()
    expect(await smallPageFaults(page)).toEqual([])
  }
})
