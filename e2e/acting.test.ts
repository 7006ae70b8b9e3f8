// Acting on the page of the edition next: every verb end to end against a real service, and what is shown to whom.
import { HttpTarget, hangs } from '@pulseward/testing/targets'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManaged, goToMonitor, startActed, told } from './acted-fleet.ts'
import { describeInBrowser } from './describe-in-browser.ts'
import { enlarged, faultsOf, smallPageFaults } from './page-faults.ts'
import type { ServiceWithPage } from './service-with-page.ts'
import { hostileName } from './troubled-fleet.ts'
import { setClockOff, wrongBy } from './wrong-clock.ts'

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog')
const send = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true }).click()
const why = (page: Page) => dialogOf(page).getByRole('textbox', { name: /^Why/ })

/** Whether a button of the dialog is in the part of the page that is seen. */
async function isSeen(page: Page, name: string): Promise<boolean> {
  const box = await dialogOf(page).getByRole('button', { name }).boundingBox()
  const { height } = page.viewportSize()!
  return box !== null && box.y >= 0 && box.y + box.height <= height
}

describeInBrowser('acting on the page', () => {
  let service: ServiceWithPage
  let silent: HttpTarget
  beforeAll(async () => {
    silent = await HttpTarget.start()
    silent.behave(hangs())
    service = await startActed(silent.url('/restart'))
    await createManaged(service, 'till')
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await silent[Symbol.asyncDispose]()
  })

  it('acknowledges, dismisses and reopens an incident from the list of incidents', async () => {
    await using page = await service.openAs(service.operatorToken(), '/alerts')
    const faults = faultsOf(page)
    await button(page, 'Acknowledge Checkout').click()
    await why(page).fill('I <b>look</b>')
    await told(page, 'Checkout: the incident is acknowledged.', send(page, 'Acknowledge'))
    await page.getByText('first is looking into it.').waitFor()
    await button(page, 'Dismiss Checkout').click()
    await send(page, 'Dismiss')
    await dialogOf(page).getByText('Give a reason: others read it in the history.').waitFor()
    await page.locator('input[name=reason]:focus').fill('a test of the alarm')
    await told(page, 'Checkout: the incident is dismissed.', page.keyboard.press('Enter'))
    await page.getByText('No more notifications are sent about it.').waitFor()
    await button(page, 'Reopen Checkout').click()
    await told(page, 'Checkout: the incident is reopened.', send(page, 'Reopen'))
    await button(page, 'Dismiss Checkout').waitFor()
    await goToMonitor(page, service, 'Checkout')
    await page.getByText('first has been looking into it for').waitFor()
    await page.getByText('I <b>look</b>').waitFor()
    await page.getByText('Incident dismissed: no more notifications about it by first.').waitFor()
    expect(faults).toEqual([])
  })

  it.each(wrongBy)(
    'snoozes by the clock of the service when that of the browser is %s, and wakes',
    { tags: 'long' },
    async (_, byMs) => {
      await using page = await service.openAs(service.operatorToken(), '/settings')
      await setClockOff(page, byMs)
      await goToMonitor(page, service, 'Search')
      await button(page, 'Snooze').click()
      await dialogOf(page).getByRole('radio', { name: 'Until tomorrow, 9:00' }).check()
      await why(page).fill('the move of the shop')
      await dialogOf(page).getByText('09:00:0').waitFor()
      await told(page, 'Search: it is snoozed.', send(page, 'Snooze'))
      await page.getByText('Not checked, nobody is notified.').waitFor()
      const { monitors } = await page.evaluate(async () => (await fetch('/api/v1/monitors?q=Search')).json())
      const wakes = new Date(monitors[0].snoozed_until)
      const nine = new Date()
      nine.setDate(nine.getDate() + 1)
      nine.setHours(9, 0, 0, 0)
      // The Date header has whole seconds.
      expect(Math.abs(wakes.getTime() - nine.getTime())).toBeLessThan(5_000)
      await button(page, 'Snooze').click()
      await dialogOf(page).getByText('a new one replaces it').waitFor()
      await dialogOf(page).getByRole('radio', { name: 'Another length' }).check()
      await dialogOf(page).getByRole('textbox', { name: 'How many' }).fill('40')
      await dialogOf(page).getByRole('combobox', { name: 'Unit' }).selectOption('days')
      await why(page).fill('longer')
      await send(page, 'Snooze')
      await dialogOf(page).getByText('Enter a whole number, at most 30 days in total.').waitFor()
      await dialogOf(page).getByRole('textbox', { name: 'How many' }).fill('3')
      await send(page, 'Snooze')
      await page.getByText(/The snooze ends in 2 d 23 h/).waitFor()
      await button(page, 'End the snooze').click()
      await told(page, 'Search: the snooze is over.', send(page, 'End the snooze'))
      await button(page, 'End the snooze').waitFor({ state: 'detached' })
    },
  )

  it('disables and enables what people manage, and offers neither for what a file manages', {
    tags: 'long',
  }, async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    await goToMonitor(page, service, 'till')
    await button(page, 'Disable').click()
    await told(page, 'till: it is disabled.', send(page, 'Disable'))
    await button(page, 'Enable').click()
    await told(page, 'till: it is enabled.', send(page, 'Enable'))
    await button(page, 'Disable').waitFor()
    await goToMonitor(page, service, 'Search')
    await button(page, 'Snooze').waitFor()
    await expect.poll(() => button(page, 'Disable').count()).toBe(0)
  })

  it('recovers only what was confirmed', { tags: 'long' }, async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    await goToMonitor(page, service, 'Kiosk')
    await page.getByRole('main').locator('strong').first().getByText('Incident').waitFor()
    await button(page, 'Recover').click()
    await why(page).fill('it hangs again')
    await send(page, 'Start the recovery')
    await dialogOf(page).getByText('Confirm it first.').waitFor()
    await dialogOf(page).getByRole('checkbox', { name: 'Yes, run “webhook” now' }).check()
    await told(page, 'Kiosk: the recovery was requested.', send(page, 'Start the recovery'))
    await page.getByText('Recovery requested by first.').waitFor()
    // One by hand per minute: the refusal of the service is told in its own words.
    await button(page, 'Recover').click()
    await why(page).fill('once more')
    await dialogOf(page).getByRole('checkbox').check()
    await send(page, 'Start the recovery')
    await dialogOf(page)
      .getByText(/^Nothing was done\. /)
      .waitFor()
  })

  it('reviews an action whose answer was lost, and makes links only of web addresses', {
    tags: 'long',
  }, async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    const faults = faultsOf(page)
    await goToMonitor(page, service, 'Stuck')
    await button(page, 'Review').first().click()
    await dialogOf(page).getByRole('radio', { name: 'It could not be determined' }).check()
    await why(page).fill('nobody is on site')
    await dialogOf(page)
      .getByRole('textbox', { name: /^Evidence/ })
      .fill('https://tickets.test/4711\njavascript:alert(1)\nOPS-12')
    await told(page, 'Stuck: the review is saved.', send(page, 'Save the review'))
    const actions = page.getByRole('region', { name: 'Actions' })
    await actions.getByText('It could not be determined, says first.').waitFor()
    const link = actions.getByRole('link', { name: 'https://tickets.test/4711' })
    await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer')
    await actions.getByText('javascript:alert(1)').waitFor()
    await expect.poll(() => actions.getByRole('link').count()).toBe(1)
    await button(page, 'Review').first().click()
    await dialogOf(page).getByText('It could not be determined, says first.').waitFor()
    await dialogOf(page).getByRole('radio', { name: 'It did not happen' }).check()
    await why(page).fill('the log of the host has nothing')
    await send(page, 'Save the review')
    await actions.getByText('It did not happen, says first.').waitFor({ state: 'attached' })
    await button(page, 'Review').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('offers a reader, and who is not signed in, nothing', { tags: 'long' }, async () => {
    await using reader = await service.openAs(service.readerToken('ada'), '/alerts')
    await using nobody = await service.open('/alerts')
    for (const page of [reader, nobody]) {
      await page.getByRole('link', { name: 'Checkout' }).first().waitFor()
      expect(await page.getByRole('button', { name: /Acknowledge|Dismiss|Reopen|Snooze/ }).count()).toBe(0)
      await goToMonitor(page, service, 'Checkout')
      await page.getByRole('heading', { name: 'What happened' }).waitFor()
      expect(await page.getByRole('button', { name: /Acknowledge|Dismiss|Snooze|Recover/ }).count()).toBe(0)
    }
  })

  it('fits a phone and an enlarged page with hostile names, and breaks no rule in either theme', {
    tags: 'long',
  }, async () => {
    await using page = await service.openAs(service.operatorToken(), '/alerts', enlarged)
    const faults = faultsOf(page)
    await button(page, `Acknowledge ${hostileName}`).waitFor()
    expect(await smallPageFaults(page)).toEqual([])
    for (const verb of ['Dismiss', 'Snooze']) {
      await button(page, `${verb} ${hostileName}`).click()
      await dialogOf(page).getByText(hostileName).waitFor()
      await why(page).waitFor()
      expect(await smallPageFaults(page), verb).toEqual([])
      await page.keyboard.press('Escape')
      await dialogOf(page).waitFor({ state: 'detached' })
    }
    expect(faults).toEqual([])
  })

  it('fits what is asked on the page of a monitor on both, and lets a key scroll to all of it', {
    tags: 'long',
  }, async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings', enlarged)
    await goToMonitor(page, service, 'Kiosk')
    for (const verb of ['Acknowledge', 'Dismiss', 'Snooze', 'Recover']) {
      await button(page, verb).click()
      await why(page).waitFor()
      if (verb === 'Snooze') await dialogOf(page).getByRole('radio', { name: 'Another length' }).check()
      expect(await smallPageFaults(page), verb).toEqual([])
      // What does not fit is scrolled to, by key too.
      await dialogOf(page).getByRole('button', { name: 'Close' }).focus()
      await expect.poll(() => isSeen(page, 'Close'), { message: verb }).toBe(true)
      await page.keyboard.press('Enter')
      await dialogOf(page).waitFor({ state: 'detached' })
    }
  })
})
