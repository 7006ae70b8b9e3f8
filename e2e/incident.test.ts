// The page of an incident in a real browser: its story, notes of people, the document for a post-mortem, paper; and the
// palette, which leads to it and acts on it.
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { openAsOperator } from './operator-page.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { hostileName, type TroubledTarget } from './troubled-fleet.ts'
import { writePast } from './written-past.ts'

const markup = '<img src=x onerror=alert(1)>\n# no heading'

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

function fleetOf(target: TroubledTarget): object {
  const ids = ['checkout', 'hostile', 'kiosk']
  for (const id of ids) target.breaks(`/${id}`)
  const names: Readonly<Record<string, string>> = {
    checkout: 'Checkout',
    hostile: hostileName,
    kiosk: 'Kiosk',
  }
  const check = (id: string) => ({
    ...{ type: 'http', interval: '1s', timeout: '1s', unhealthy_threshold: 2 },
    config: { url: target.url(`/${id}`) },
  })
  return {
    version: 1,
    monitors: ids.map((id) => ({ id, name: names[id], check: check(id) })),
  }
}

describeInBrowser('the page of an incident', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', { fleet: fleetOf })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** The open incident of a monitor; it opens after two checks. */
  async function incidentOf(name: string): Promise<string> {
    let found: string | undefined
    await expect
      .poll(async () => {
        const answer = await fetch(`${service.url}/api/v1/incidents`)
        const { incidents } = (await answer.json()) as { incidents: { name: string; incident_id: string }[] }
        found = incidents.find((incident) => incident.name === name)?.incident_id
        return found
      })
      .toBeDefined()
    return found!
  }

  it('is a link away from the alerts, and its address can be shared', { tags: 'long' }, async () => {
    const id = await incidentOf('Checkout')
    await using page = await openAsOperator(service, '/alerts')
    await page.locator(`[data-incident="${id}"]`).getByRole('link', { name: 'Story' }).click()
    await page.getByRole('heading', { level: 1, name: 'Incident: Checkout' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/incidents/${id}`)
    await panelOf(page, 'Cause').getByText('Incident opened').waitFor()
    await panelOf(page, 'Cause')
      .getByText(/^Because 2 checks in a row failed; the threshold is 2/)
      .waitFor()
    await panelOf(page, 'How it ended').getByText('It is still open.').waitFor()
    await using other = await service.open(new URL(page.url()).pathname)
    await other.getByRole('heading', { level: 1, name: 'Incident: Checkout' }).waitFor()
    // Who is not signed in reads the story and adds nothing.
    await panelOf(other, 'Cause').getByText('Incident opened').waitFor()
    expect(await panelOf(other, 'Add a note').count()).toBe(0)
  })

  it('is led to by its monitor, which says why it opened and who snoozed it', async () => {
    const id = await incidentOf('Kiosk')
    await using page = await openAsOperator(service, '/monitors?q=Kiosk')
    const faults = faultsOf(page)
    await page.getByRole('link', { name: 'Kiosk' }).click()
    await page
      .getByText(/^The incident opened .* because 2 checks in a row failed; the threshold is 2/)
      .waitFor()
    await page.getByRole('button', { name: 'Snooze', exact: true }).waitFor()
    await page.locator('h1').focus()
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog', { name: /Snooze/ })
    const reason = '<img src=x onerror=alert(1)> & the pump'
    await dialog.getByRole('textbox', { name: /^Why/ }).fill(reason)
    await dialog.getByRole('button', { name: 'Snooze', exact: true }).press('Enter')
    const snoozed = page.getByText(/^It was snoozed by first /)
    await snoozed.waitFor()
    expect(await snoozed.locator('q').textContent()).toBe(reason)
    for (const width of [640, 320]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
      expect(await violationsOf(page)).toEqual([])
    }
    await snoozed.getByRole('link', { name: 'Story' }).click()
    await page.waitForURL(`**/incidents/${id}`)
    await panelOf(page, 'What people did')
      .getByText(/^Snoozed by first until \d+ \w+ \d{4} /)
      .waitFor()
    expect(faults).toEqual([])
  })

  it('takes notes as text, and an acknowledgement, without a mouse', async () => {
    const id = await incidentOf(hostileName)
    await using page = await openAsOperator(service, `/incidents/${id}`)
    const faults = faultsOf(page)
    await page.getByRole('heading', { level: 1, name: `Incident: ${hostileName}` }).waitFor()
    const field = page.getByRole('textbox', { name: /What should others know/ })
    await field.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Write something first.').waitFor()
    await field.fill('ä'.repeat(2_049))
    await page.getByRole('button', { name: 'Add the note' }).press('Enter')
    await page.getByText('This is too long: 4,098 bytes of at most 4,096.').waitFor()
    await field.fill(markup)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('The note was added.').waitFor()
    const people = panelOf(page, 'What people did')
    await expect.poll(() => people.locator('blockquote').allTextContents()).toEqual([markup])
    await people.getByText('Note added by first').waitFor()
    expect(await field.inputValue()).toBe('')
    expect(await page.locator('main img').count()).toBe(0)
    await page.locator('h1').focus()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog', { name: /Acknowledge/ })
    await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).press('Enter')
    await people.getByText('Incident acknowledged by first').waitFor()
    await panelOf(page, 'Incident').getByText('first', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('keeps what was typed while one looks elsewhere, and says when the answer is lost', {
    tags: 'long',
  }, async () => {
    const id = await incidentOf('Kiosk')
    await using page = await openAsOperator(service, `/incidents/${id}`)
    const field = page.getByRole('textbox', { name: /What should others know/ })
    await field.fill('half a sentence')
    await page.getByRole('link', { name: 'Kiosk' }).click()
    await page.getByRole('heading', { level: 1, name: 'Kiosk' }).waitFor()
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe('half a sentence')
    await page.route('**/notes', (route) => route.abort())
    await page.getByRole('button', { name: 'Add the note' }).click()
    await page.getByText(/^The answer was lost\. Look above/).waitFor()
    expect(await field.inputValue()).toBe('half a sentence')
  })

  it('is saved as a document in which nothing that people said is markup', async () => {
    const id = await incidentOf('Kiosk')
    await using page = await openAsOperator(service, `/incidents/${id}`)
    await page.getByRole('textbox', { name: /What should others know/ }).fill('**bold** [link](x)')
    await page.getByRole('button', { name: 'Add the note' }).click()
    await page.getByText('The note was added.').waitFor()
    await panelOf(page, 'What people did').getByText('Note added').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as Markdown' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^incident-\d{4}-\d{2}-\d{2}-[\w.-]+\.md$/)
    const document = await text(await download.createReadStream())
    expect(document.startsWith('# Incident: Kiosk\n')).toBe(true)
    expect(document).toContain(String.raw`  > \*\*bold\*\* \[link\](x)`)
    expect(document).toContain(`| Page | ${service.url}/incidents/`)
  })

  it('of an incident that is not there says so', { tags: 'long' }, async () => {
    await using page = await service.open('/incidents/%3Cb%3Enothing')
    await page.getByRole('heading', { level: 1, name: 'There is no such incident' }).waitFor()
    await page.getByText('No incident has the id <b>nothing').waitFor()
    await page.getByRole('link', { name: 'Go to the alerts' }).click()
    await page.waitForURL(`${service.url}/alerts`)
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    it('has no fault, wide and narrow, and is black on white on paper without controls', async () => {
      const id = await incidentOf('Checkout')
      await using page = await openAsOperator(service, `/incidents/${id}`, { colorScheme })
      await panelOf(page, 'Add a note').waitFor()
      await panelOf(page, 'Cause').getByText('Incident opened').waitFor()
      expect(await violationsOf(page, { others: colorScheme === 'light' })).toEqual([])
      await page.setViewportSize({ width: 390, height: 800 })
      expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
      if (colorScheme === 'light') expect(await violationsOf(page, { contrast: false })).toEqual([])
      await page.setViewportSize({ width: 688, height: 1_000 })
      await page.emulateMedia({ media: 'print' })
      const paper = await page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.documentElement)
        const controls = [...document.querySelectorAll('nav, button, input, textarea, summary')]
        return { backgroundColor, color, seen: controls.filter((each) => each.checkVisibility()).length }
      })
      expect(paper).toEqual({ backgroundColor: 'rgb(255, 255, 255)', color: 'rgb(0, 0, 0)', seen: 0 })
    })
  })

  it('is found by the palette, which acts on it from anywhere', { tags: 'long' }, async () => {
    const id = await incidentOf('Kiosk')
    await using page = await openAsOperator(service, '/settings')
    const open = async (words: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /an incident/ }).fill(words)
    }
    await open('incident kiosk')
    await page.getByRole('option', { name: 'Incident: Kiosk' }).click()
    await page.waitForURL(`${service.url}/incidents/${id}`)
    await open('snooze kiosk')
    await page.getByRole('option', { name: 'Snooze: Kiosk' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Snooze Kiosk' }).waitFor()
    await page.keyboard.press('Escape')
    await open('dark')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    await open('new monitor')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /monitor/i }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/manage/new/monitors')
    await open('cooldown')
    await page.getByRole('option', { name: /alert cooldown ms: 300000/ }).waitFor()
    await page.getByRole('option', { name: 'Alerting' }).waitFor()
    expect(await violationsOf(page, { contrast: false })).toEqual([])
  })
})

describeInBrowser('the page of an incident without v2', () => {
  it('tells the story without notes (candidate)', { tags: 'long' }, async () => {
    await using service = await ServiceWithPage.start('candidate', {
      before: (directory) => writePast(directory, ['checkout']),
    })
    const history = await fetch(`${service.url}/api/v1/history?monitor_id=checkout`)
    const { events } = (await history.json()) as { events: { incident_id: string | null }[] }
    const id = events.find(({ incident_id }) => incident_id !== null)!.incident_id!
    await using page = await service.open(`/incidents/${id}`)
    await page.getByRole('heading', { level: 1, name: 'Incident: Checkout' }).waitFor()
    await panelOf(page, 'Cause').getByText('<b>status 503</b>').waitFor()
    await panelOf(page, 'Who was told').getByText('Red to pager').waitFor()
    await panelOf(page, 'How it ended').getByText('Recovered').waitFor()
    expect(await panelOf(page, 'Add a note').count()).toBe(0)
    await page.goto(`${service.url}/monitors/1`)
    await page
      .getByRole('region', { name: 'What happened' })
      .getByRole('link', { name: 'Story' })
      .first()
      .click()
    await page.waitForURL(/\/incidents\//)
  })

  it('says that there is none (main)', { tags: 'long' }, async () => {
    await using service = await ServiceWithPage.start('main')
    await using page = await service.open('/incidents/any')
    await page.getByText('There is no story: this edition keeps no history.').waitFor()
  })
})
