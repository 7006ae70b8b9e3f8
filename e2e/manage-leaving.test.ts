// Going elsewhere from a form that was edited: by a link, by a key, by Back and Forward, and by closing the tab.
import type { Client } from '@pulseward/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { openAsOperator } from './operator-page.ts'
import { faultsOf, violationsOf } from './page-faults.ts'
import { pressInTurn } from './press-in-turn.ts'
import { ServiceWithPage } from './service-with-page.ts'

const interval = (page: Page) => page.getByRole('textbox', { name: 'Interval' })
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const answer = (page: Page, name: 'Stay' | 'Leave') =>
  question(page).getByRole('button', { name, exact: true }).click()
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const pathOf = (page: Page) => new URL(page.url()).pathname

async function typedIsKept(page: Page, id: string): Promise<void> {
  await expect.poll(() => question(page).count()).toBe(0)
  expect(pathOf(page)).toBe(`/manage/monitors/${id}`)
  await expect.poll(() => interval(page).inputValue()).toBe('7h')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'document' }).inputValue())
    .toContain('interval: 7h')
}

describeLongInBrowser('leaving an edited form', () => {
  let service: ServiceWithPage
  let client: Client
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', { fleet: () => ({ version: 1, monitors: [] }) })
    client = operatorClient(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** Comes from the list, as people do, so that there is something to go back to. */
  async function editFromList(id: string): Promise<Page> {
    const check = {
      driver: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } },
      interval: '1h',
      timeout: '1s',
    }
    await client.createMonitor({
      body: {
        apiVersion: 'pulseward/v2',
        kind: 'Monitor',
        metadata: { id, name: `Named ${id}` },
        spec: { enabled: false, check },
      },
      ifNoneMatch: '*',
    })
    const page = await openAsOperator(service, `/monitors?q=${id}`)
    await page.getByRole('link', { name: `Named ${id}` }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await interval(page).fill('7h')
    return page
  }

  it('asks at a link and at a key; staying keeps what was typed, leaving goes there', async () => {
    await using page = await editFromList('by-link')
    const faults = faultsOf(page)
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().click()
    await question(page).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await answer(page, 'Stay')
    await typedIsKept(page, 'by-link')
    await page.getByRole('button', { name: 'Delete' }).focus()
    await pressInTurn(page, 'g s', question(page))
    await page.keyboard.press('Escape')
    await typedIsKept(page, 'by-link')
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().click()
    await answer(page, 'Leave')
    await page.waitForURL(`${service.url}/alerts`)
    await expect.poll(() => question(page).count()).toBe(0)
    expect((await client.getMonitor({ id: 'by-link' })).data.spec.check.interval).toBe('1h')
    expect(faults).toEqual([])
  })

  it('asks at Back and at Forward, and the history stays as it was', async () => {
    await using page = await editFromList('by-back')
    const faults = faultsOf(page)
    for (const way of ['Stay', 'Stay', 'Leave'] as const) {
      await page.evaluate(() => history.back())
      await question(page).waitFor()
      await answer(page, way)
      if (way === 'Stay') await typedIsKept(page, 'by-back')
    }
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/monitors\/\d+$/)
    await page.goForward()
    await title(page, 'Named by-back')
    await expect.poll(() => interval(page).inputValue()).toBe('1h')

    await page.getByRole('link', { name: 'Alerts', exact: true }).first().click()
    await page.waitForURL(`${service.url}/alerts`)
    await page.goBack()
    await interval(page).fill('7h')
    await page.evaluate(() => history.forward())
    await question(page).waitFor()
    await answer(page, 'Stay')
    await typedIsKept(page, 'by-back')
    await page.evaluate(() => history.back())
    await answer(page, 'Leave')
    await page.waitForURL(`${service.url}/alerts`)
    expect(faults).toEqual([])
  })

  it('lets the browser ask before the tab is closed, and only while something is unsaved', async () => {
    await using page = await editFromList('by-tab')
    const asked = page.waitForEvent('dialog')
    void page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await typedIsKept(page, 'by-tab')
    await interval(page).fill('1h')
    await page.getByRole('form').getByRole('status').getByText('Valid.', { exact: true }).waitFor()
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
  })

  it('does not ask when it is saved, nor for a place in the page', async () => {
    await using page = await editFromList('saved')
    await page.getByRole('link', { name: 'Skip to the content' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#content$/)
    expect(await question(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('form').getByRole('status').getByText('Saved.').waitFor()
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().click()
    await page.waitForURL(`${service.url}/alerts`)
    expect(await question(page).count()).toBe(0)
  })

  it('asks before another template takes the place of what was typed', async () => {
    await using page = await openAsOperator(service, '/manage/new/monitors?template=port')
    await page.getByRole('textbox', { name: 'Host' }).fill('shop.example')
    await page.getByRole('link', { name: /^Redis/ }).click()
    await answer(page, 'Stay')
    await expect.poll(() => page.getByRole('textbox', { name: 'Host' }).inputValue()).toBe('shop.example')
    await page.getByRole('link', { name: /^Redis/ }).click()
    await answer(page, 'Leave')
    await page.getByText('type: redis').waitFor()
  })
})
