// Who is told, on the page of a real service of the edition next: the panel of a monitor, the sentence of the overview with
// the list that it leads to, and the note of the form.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { openAsOperator } from './operator-page.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const check = { type: 'tcp', interval: '1h', config: { host: '127.0.0.1', port: 1 } }
const fleet = {
  version: 1,
  endpoints: { chat: { type: 'log' }, pager: { type: 'log' } },
  groups: { ops: ['chat', 'pager'] },
  routes: [{ match: { team: 'payments' }, colors: ['red', 'green'], endpoints: ['pager'] }],
  monitors: [
    { id: 'shop', name: 'Shop', labels: { team: 'payments' }, check, notify: { red: { groups: ['ops'] } } },
    { id: 'wiki', name: 'Wiki', check },
    { id: 'old', name: 'Old', enabled: false, check },
  ],
}

describeInBrowser('who is told', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', { fleet: () => fleet })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('is said by the overview where it is nobody, and led to by its list and the panel', {
    tags: 'long',
  }, async () => {
    await using page = await service.open('/')
    const faults = faultsOf(page)
    await page.getByRole('link', { name: '1 monitor tells nobody when it fails.' }).click()
    await page.getByText('1 monitor that match').waitFor()
    expect(page.url()).toMatch(/\/monitors\?tells_nobody=true$/)
    expect(await page.getByLabel('Who is told').inputValue()).toBe('nobody')
    await page.getByRole('link', { name: 'Wiki' }).click()
    await page.getByText('Nobody is told when it fails.').waitFor()
    expect(faults).toEqual([])
  })

  it('is shown for each color with its rules, and linked for an operator', { tags: 'long' }, async () => {
    await using page = await openAsOperator(service, '/monitors?q=shop')
    const faults = faultsOf(page)
    await page.getByRole('link', { name: 'Shop' }).click()
    const panel = page.getByRole('region', { name: 'Who is told' })
    await panel.getByText('pager by its own rule (group ops) and route 1 of the fleet files').waitFor()
    expect(await panel.getByRole('definition').allInnerTexts()).toEqual([
      'chat by its own rule (group ops)',
      'pager by its own rule (group ops) and route 1 of the fleet files',
      'pager by route 1 of the fleet files',
    ])
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
      expect(await violationsOf(page)).toEqual([])
    }
    await panel.getByRole('link', { name: 'ops' }).first().click()
    await page.waitForURL('**/manage/groups/ops')
    expect(faults).toEqual([])
  })

  it('is one sentence under the title, with names that lead to what they name', async () => {
    await using page = await openAsOperator(service, '/monitors?q=shop')
    await page.getByRole('link', { name: 'Shop' }).click()
    const sentence = page.getByText('When it fails, chat and pager are told.')
    await sentence.waitFor()
    expect(await sentence.getByRole('link').allInnerTexts()).toEqual(['chat', 'pager'])
    await sentence.getByRole('link', { name: 'pager' }).click()
    await page.waitForURL('**/manage/endpoints/pager')
    await using visitor = await service.open('/monitors?q=wiki')
    await visitor.getByRole('link', { name: 'Wiki' }).click()
    await visitor.getByText('It tells nobody when it fails.').waitFor()
    await visitor.goto(`${service.url}/monitors?q=old`)
    await visitor.getByRole('link', { name: 'Old' }).click()
    await visitor.getByRole('region', { name: 'Who is told' }).waitFor()
    expect(await visitor.getByText('It tells nobody when it fails.').count()).toBe(0)
  })

  it('is noted in the form before saving, and keeps nobody from saving', async () => {
    await using page = await openAsOperator(service, '/manage/new/monitors')
    const note = page.getByRole('note').filter({ hasText: 'Nobody is told when this monitor fails' })
    const text = page.getByRole('textbox', { name: 'document' })
    const document = (notifications: string) =>
      `apiVersion: pulseward/v2\nkind: Monitor\nmetadata: { id: made, name: Made }\nspec:\n  check: { driver: { type: tcp, config: { host: 127.0.0.1, port: 1 } }, interval: 1h, timeout: 1s }\n${notifications}`
    await text.fill(document(''))
    await note.waitFor()
    await text.fill(document('  notifications: { red: { groupRefs: [ops] } }\n'))
    await note.waitFor({ state: 'detached' })
    await text.fill(document(''))
    await note.waitFor()
    await page.getByRole('button', { name: 'Create the monitor' }).click()
    await page.waitForURL('**/manage/monitors/made')
  })
})
