// Acting without a mouse: the keys of a monitor's page and of the selected row in lists, the palette, and the help that
// lists what works. Who may not act has no such keys.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManaged, openMonitor, startActed, told } from './acted-fleet.ts'
import { describeInBrowser } from './describe-in-browser.ts'
import { violationsOf } from './page-faults.ts'
import type { ServiceWithPage } from './service-with-page.ts'

const dialogNamed = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const reasonHasFocus = (page: Page) => page.locator('dialog input[name=reason]:focus').waitFor()

async function openPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /a command/ }).fill(text)
}

describeInBrowser('acting by keyboard', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await startActed('http://127.0.0.1:1/')
    await createManaged(service, 'till')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('takes one key, a reason and Enter on the page of a monitor', async () => {
    await using page = await openMonitor(service, 'Checkout')
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor()
    await page.keyboard.press('a')
    await reasonHasFocus(page)
    await page.keyboard.type('on it')
    await told(page, 'Checkout: the incident is acknowledged.', page.keyboard.press('Enter'))
    await dialogNamed(page, 'Acknowledge the incident of Checkout').waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.getByText('Dismiss its incident').waitFor()
    expect(await help.getByText('Enable this monitor').count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })

  it('means the selected row of the list of monitors, and returns to it', { tags: 'long' }, async () => {
    await using page = await service.openAs(service.operatorToken(), '/monitors?q=till')
    await page.getByRole('link', { name: 'till' }).waitFor()
    await told(page, 'No row is in focus. Go to one with j and k first.', page.keyboard.press('d'))
    await page.keyboard.press('j')
    const row = page.getByRole('link', { name: 'till' }).and(page.locator(':focus'))
    await row.waitFor()
    await page.keyboard.press('d')
    await dialogNamed(page, 'Disable till').waitFor()
    await page.locator('dialog button[type=submit]:focus').waitFor()
    await told(page, 'till: it is disabled.', page.keyboard.press('Enter'))
    await row.waitFor()
    await page.keyboard.press('a')
    await page.getByRole('dialog').getByText('It has no open incident.').waitFor()
    await page.keyboard.press('Escape')
    await row.waitFor()
  })

  it('opens the next question also before the browser has told that the last dialog is closed', {
    tags: 'long',
  }, async () => {
    await using page = await openMonitor(service, 'Kiosk')
    await page.getByRole('button', { name: 'Snooze' }).waitFor()
    await page.keyboard.press('s')
    await dialogNamed(page, 'Snooze Kiosk').waitFor()
    await page.evaluate(() => {
      document.querySelector('dialog')?.close()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }))
    })
    await dialogNamed(page, 'Recover Kiosk').waitFor()
    await page.keyboard.press('Escape')
    await dialogNamed(page, 'Recover Kiosk').waitFor({ state: 'detached' })
  })

  it('means the selected row of the list of incidents', async () => {
    await using page = await service.openAs(service.operatorToken(), '/alerts')
    await page.getByRole('link', { name: 'Shared' }).first().focus()
    await page.keyboard.press('x')
    await dialogNamed(page, 'Dismiss the incident of Shared').waitFor()
    await reasonHasFocus(page)
    await page.keyboard.type('known')
    await told(page, 'Shared: the incident is dismissed.', page.keyboard.press('Enter'))
    // A key that comes before the dialog is gone belongs to what is typed in it.
    await dialogNamed(page, 'Dismiss the incident of Shared').waitFor({ state: 'hidden' })
    // It has another row now, among those that are attended to.
    const attended = page.locator('section', {
      has: page.getByRole('heading', { name: 'Acknowledged or dismissed' }),
    })
    const shared = attended.getByRole('link', { name: 'Shared' }).first()
    await shared.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('k')
    await page.locator('li[data-incident] a:focus').waitFor()
  })

  it('is offered by the palette, for the row that was selected too', { tags: 'long' }, async () => {
    await using page = await service.openAs(service.operatorToken(), '/monitors?q=Search')
    await page.getByRole('link', { name: 'Search' }).focus()
    await openPalette(page, 'snooze the')
    await page.getByRole('option', { name: /^Snooze the focused monitor/ }).waitFor()
    await page.keyboard.press('Enter')
    await dialogNamed(page, 'Snooze Search').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Search' }).and(page.locator(':focus')).waitFor()
  })

  it('is neither a key nor a command for a reader', { tags: 'long' }, async () => {
    await using page = await service.openAs(service.readerToken('ada'), '/monitors?q=Search')
    await page.getByRole('link', { name: 'Search' }).focus()
    await page.keyboard.press('s')
    await openPalette(page, 'snooze')
    await page.getByText('0 monitors found.').waitFor()
    expect(await page.getByRole('option', { name: /Snooze\b/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.getByText('Next monitor').waitFor()
    expect(await help.getByText(/Snooze|Acknowledge|Disable/).count()).toBe(0)
  })
})
