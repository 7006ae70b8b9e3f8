// The view Status pages in a real browser: what customers see, and writing about an incident from the page of its monitor until
// it is resolved; what is written is text on both sides.
import type { Client } from '@pulseward/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { openAsOperator } from './operator-page.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { pressInTurn } from './press-in-turn.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { hostileName, type TroubledTarget } from './troubled-fleet.ts'

const fleetOf = (target: TroubledTarget) => ({
  version: 1,
  status_pages: {
    shop: {
      title: 'Example Shop',
      groups: [
        {
          name: 'Shop',
          components: [
            { id: 'checkout', name: 'Checkout', monitors: ['till'] },
            { id: 'search', name: hostileName, monitors: ['till', 'other'] },
          ],
        },
      ],
    },
  },
  monitors: ['till', 'other'].map((id) => ({
    ...{ id, name: id, enabled: false },
    check: { type: 'http', config: { url: target.url(`/${id}`) } },
  })),
})

const text = '<img src=x onerror=alert(1)> **Some** payments [fail](javascript:alert(1)).'

/** For people who want to look at it. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PULSEWARD_PICTURES']
  if (folder === undefined) return
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true })
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

describeInBrowser('the view Status pages', () => {
  let service: ServiceWithPage
  let client: Client
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', { fleet: fleetOf })
    client = operatorClient(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('writes about a monitor, from its page to the resolution', async () => {
    await using page = await openAsOperator(service, '/monitors')
    const faults = faultsOf(page)
    await page.getByRole('link', { name: 'till', exact: true }).click()
    await page.getByRole('link', { name: 'Write about this on Example Shop' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write on Example Shop' })
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toContain('Trouble with Checkout, ')
    expect(await dialog.getByLabel('Checkout', { exact: true }).inputValue()).toBe('major_outage')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByText('Write what customers should know.').waitFor()
    await dialog.getByLabel('Title').fill('Payments fail')
    await dialog.getByLabel('Text (Markdown)').fill(text)
    const preview = dialog.getByRole('region', { name: 'What customers will read' })
    expect(await preview.locator('strong').textContent()).toBe('Some')
    expect(await preview.locator('img, a').count()).toBe(0)
    expect(await violationsOf(page, { others: true })).toEqual([])
    await keepPicture(page, 'dialog')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers read of 1 incident.' }).waitFor()

    const { data } = await client.listStatusIncidents({})
    expect(data.items[0]?.spec.updates[0]?.text).toBe(text)
    await keepPicture(page, 'view')
    await page.getByRole('button', { name: 'Write an update of Payments fail' }).click()
    const next = page.getByRole('dialog', { name: 'Write an update on Example Shop' })
    await next.getByLabel('How far it has come').selectOption('resolved')
    await next.getByLabel('Text (Markdown)').fill('It is over.')
    await next.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers read of no incident.' }).waitFor()

    const { id } = data.items[0]!.metadata
    await page.goto(`${service.url}/status/shop/incidents/${id}.html`)
    // The public page is made anew at most once per second: it may have been loaded just before the update was on it.
    const resolution = page.getByText('It is over.')
    await expect.poll(() => page.reload().then(() => resolution.count()), { interval: 500 }).toBe(1)
    await page.getByText(/<img src=x onerror=alert\(1\)> Some payments/).waitFor()
    expect(await page.locator('img, script, a[href^="javascript"]').count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    await keepPicture(page, 'incident')
    await page.setViewportSize({ width: 320, height: 740 })
    expect(await sidewaysPixels(page)).toBe(0)
    await page.getByRole('link', { name: 'Present state' }).click()
    await keepPicture(page, 'front')
    await page.getByRole('link', { name: 'All incidents by month' }).click()
    await page.getByRole('heading', { level: 1, name: 'All incidents by month' }).waitFor()
    await keepPicture(page, 'history')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('main').getByRole('link').first().click()
    await page.getByRole('link', { name: 'Payments fail' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('makes a badge of a monitor, whose address is shown once', async () => {
    await using page = await openAsOperator(service, '/monitors')
    const faults = faultsOf(page)
    await page.getByRole('link', { name: 'other', exact: true }).click()
    await page.getByRole('button', { name: 'Make a badge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make a badge' })
    await dialog.getByLabel('What it shows').selectOption('uptime-30d')
    await dialog.getByRole('button', { name: 'Make it' }).click()
    const address = await dialog.getByLabel('Its address, shown once').inputValue()
    const picture = await fetch(address)
    expect([picture.status, await picture.text()]).toEqual([200, expect.stringContaining('uptime 30 d')])
    expect(await violationsOf(page)).toEqual([])
    const { data } = await client.listBadges({})
    expect(data.items.map(({ spec }) => spec.monitorRef)).toEqual(['other'])
    expect(JSON.stringify(data)).not.toContain(address.split('/').at(-1)!.replace('.svg', ''))
    expect(faults).toEqual([])
  })

  it('is clean for axe and fits a phone', async () => {
    await using page = await openAsOperator(service, '/')
    const faults = faultsOf(page)
    await pressInTurn(page, 'g p', page.getByRole('heading', { level: 1, name: /^Customers read of/ }))
    await page.getByRole('region', { name: 'Example Shop' }).getByText(hostileName).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Write about an incident on Example Shop' }).click()
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    expect(await violationsOf(page, { contrast: false })).toEqual([])
    expect(faults).toEqual([])
  })
})
