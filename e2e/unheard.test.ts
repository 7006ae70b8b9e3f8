// Notifications that do not arrive, and a monitor that fails without an incident: the page says so, and why.
import type { Queues } from '@pulseward/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { hostileName } from './troubled-fleet.ts'

async function expectWellMade(page: Page): Promise<void> {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    expect(await violationsOf(page, { contrast: false })).toEqual([])
  }
}

describeLongInBrowser('notifications that no destination takes', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate', {
      environment: { PULSEWARD_ALLOW_LOOPBACK_NOTIFY: 'true' },
      fleet(target) {
        // With those that are broken anyway three reds for the pager.
        for (const path of ['/hook', '/hostile']) target.breaks(path)
        return target.tellingFleet()
      },
    })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('is said over every view once a webhook has answered 503 three times, with a link to the reason', async () => {
    await using page = await service.open('/monitors')
    const faults = faultsOf(page)
    const banner = page.getByRole('status').filter({ hasText: '2 destinations do not accept notifications.' })
    await banner.getByRole('link', { name: 'See why' }).click()
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor()
    const ops = page.getByRole('listitem').filter({ hasText: 'ops' })
    await ops.getByText('Does not accept notifications').waitFor()
    await ops.getByText(/^Why: .*503/).waitFor()
    await ops.getByText(/^since .*, for /).waitFor()
    await ops.getByText(/^tried again (in |now)/).waitFor()
    await ops.getByText(/^\d+ waiting$/).waitFor()
    await expectWellMade(page)
    expect(faults).toEqual([])
  })

  it('has its whole reason a key away when that is long, as text and never as markup', async () => {
    await using page = await service.emptyPage()
    const faults = faultsOf(page)
    const reason = `<img src=x onerror=alert(1)> ${'the provider said a great deal; '.repeat(20)}and stopped`
    await page.route('**/api/v1/queues', async (route) => {
      const queues = (await (await route.fetch()).json()) as Queues
      const destinations = queues.destinations.map((one) => ({ ...one, state: 'dead', reason }))
      await route.fulfill({ json: { ...queues, destinations } })
    })
    await page.goto(`${service.url}/system`)
    await page
      .getByText('None of the 3 destinations accepts notifications: no notifications are sent.')
      .waitFor()
    const why = page.locator('details', { hasText: reason }).first()
    const heightOf = async () => (await why.boundingBox())!.height
    const cutHeight = await heightOf()
    await why.locator('summary').focus()
    await page.keyboard.press('Enter')
    await expect.poll(heightOf).toBeGreaterThan(cutHeight)
    await expectWellMade(page)
    expect(faults).toEqual([])
  })

  it('is told with its reason on the overview, on the alerts and on the page of the monitor', async () => {
    await using page = await service.open('/')
    const lastHour = page.getByRole('region', { name: 'Last hour' })
    await lastHour
      .getByText(/^Why: /)
      .first()
      .waitFor()
    await page.goto(`${service.url}/alerts`)
    const incident = page.getByRole('listitem').filter({ hasText: hostileName })
    await incident.getByText(/^Why: .*link-local/).waitFor()
    const destinations = page.getByRole('region', { name: 'Destinations' })
    await destinations.getByText(/^Why: .*503/).waitFor()
    await page.getByRole('link', { name: 'Checkout' }).first().click()
    const actions = page.getByRole('region', { name: 'Actions' })
    await actions
      .getByText('Red to ops is waiting: its destination does not accept notifications now.')
      .waitFor()
    await actions.getByText(/settled$/).click()
    await actions
      .getByText(/^Why: .*503/)
      .first()
      .waitFor()
    const happened = page.getByRole('region', { name: 'What happened' })
    await happened
      .getByText(/^Why: .*503/)
      .first()
      .waitFor()
    await expectWellMade(page)
  })

  it('is what holds a failing monitor back, until nothing does', async () => {
    await using page = await service.open('/monitors?q=Basket')
    await page.getByRole('link', { name: 'Basket' }).click()
    service.target.breaks('/basket')
    const heldBack = page.getByText(
      'It fails, yet no incident is open: it is suppressed by checkout, which it depends on.',
    )
    await heldBack.waitFor()
    await expectWellMade(page)
    service.target.mends('/basket')
    await heldBack.waitFor({ state: 'detached' })
  })

  it('is over when the webhook answers again', async () => {
    await using page = await service.open('/system')
    service.target.mends('/hook')
    await page.getByText('The destination pager does not accept notifications.').waitFor()
    const ops = page.getByRole('listitem').filter({ hasText: 'ops' })
    await ops.getByText('Accepts notifications').waitFor()
  })
})
