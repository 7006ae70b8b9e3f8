// The view On call in a real browser: who is on call, calendars with gaps and overrides, and overrides that never overwrite what
// others changed.
import type { Client } from '@pulseward/client'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { openAsOperator } from './operator-page.ts'
import { enlarged, faultsOf, smallPageFaults, violationsOf } from './page-faults.ts'
import { pressInTurn } from './press-in-turn.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { hostileName, longName, type TroubledTarget } from './troubled-fleet.ts'

const apiVersion = 'pulseward/v2' as const
const dayMs = 86_400_000

/** A schedule of a fleet file, which has no person at weekends and at night, and incidents that policies page people of. */
function fleetOf(target: TroubledTarget): object {
  target.breaks('/till')
  const monitor = (id: string, name: string, policy: string) => ({
    id,
    name,
    policy,
    check: {
      ...{ type: 'http', interval: '1s', timeout: '1s', unhealthy_threshold: 2 },
      config: { url: target.url('/till') },
    },
  })
  return {
    version: 1,
    endpoints: { pager: { type: 'log', config: {} } },
    people: { fil: { name: hostileName, endpoints: ['pager'] } },
    schedules: {
      filed: {
        timezone: 'Asia/Tokyo',
        layers: [
          {
            people: ['fil'],
            start: '2026-01-05T00:00',
            every: '1w',
            hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
          },
        ],
      },
    },
    policies: {
      page: { steps: [1, 2].map(() => ({ notify: [{ person: 'fil' }], wait: '5h' })), repeat: 1 },
      both: { steps: [{ notify: [{ person: 'fil' }], wait: '5h' }], repeat: 1 },
    },
    monitors: [
      monitor('till', 'Till', 'page'),
      monitor('kiosk-1', 'Kiosk one', 'both'),
      monitor('kiosk-2', 'Kiosk two', 'both'),
    ],
  }
}

const panelOf = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const blocksOf = (page: Page) => panelOf(page, /^Eight weeks from/).getByRole('button')

/** So many days from now at 09:00, as a schedule in UTC is written. */
function inDays(days: number): string {
  return `${new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)}T09:00`
}

async function fillOverride(dialog: Locator, who: string, from: string, to: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Who' }).selectOption({ label: who })
  await dialog.getByLabel(/^From/).fill(from)
  await dialog.getByLabel(/^To/).fill(to)
}

describeInBrowser('the view On call', () => {
  let service: ServiceWithPage
  let client: Client
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', { fleet: fleetOf })
    client = operatorClient(service)
    for (const [id, name] of [
      ['ana', 'Ana Berg'],
      ['bo', hostileName],
      ['cy', longName],
    ] as const)
      await client.createPerson({
        body: { apiVersion, kind: 'Person', metadata: { id, name }, spec: { endpointRefs: ['pager'] } },
        ifNoneMatch: '*',
      })
    for (const id of ['primary', 'second']) await createSchedule(id)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** Ana and Bo take turns of a week. */
  async function createSchedule(id: string, people = ['ana', 'bo']): Promise<void> {
    await client.createSchedule({
      body: {
        apiVersion,
        kind: 'Schedule',
        metadata: { id },
        spec: { timezone: 'UTC', layers: [{ personRefs: people, start: '2026-01-05T09:00', every: '1w' }] },
      },
      ifNoneMatch: '*',
    })
  }

  async function overridesOf(id: string): Promise<readonly object[]> {
    return (await client.getSchedule({ id })).data.spec.overrides ?? []
  }

  it('says who is on call, and draws eight weeks with their gaps', async () => {
    await using page = await openAsOperator(service, '/')
    const faults = faultsOf(page)
    await pressInTurn(page, 'g c', page.getByRole('heading', { level: 1, name: /on call\.$/ }))
    const now = panelOf(page, 'On call now')
    await now.getByRole('button', { name: 'primary' }).press('Enter')
    await panelOf(page, 'Calendar of primary').waitFor()
    await expect.poll(() => blocksOf(page).count()).toBeGreaterThanOrEqual(16)
    expect(await blocksOf(page).filter({ hasText: 'Gap' }).count()).toBe(0)
    // One stop of the keyboard, and arrows from there.
    await blocksOf(page).first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    const focused = page.locator(':focus')
    const words = (await focused.getAttribute('title'))!
    expect(words).toMatch(/, Mon .*, 09:00 – Mon .*, 09:00$/)
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .getByText(words.slice(words.indexOf('Mon')))
      .waitFor()
    await page.getByRole('combobox', { name: 'Person' }).selectOption({ label: 'Ana Berg' })
    await panelOf(page, 'Next shifts').getByRole('listitem').first().waitFor()
    expect(await panelOf(page, 'Next shifts').getByText('primary, UTC').count()).toBeGreaterThan(2)
    expect(await violationsOf(page)).toEqual([])

    await now.getByRole('button', { name: 'filed' }).click()
    await panelOf(page, 'Calendar of filed').waitFor()
    await blocksOf(page).filter({ hasText: 'Gap' }).first().waitFor()
    await page.getByText(/^This schedule comes from a fleet file/).waitFor()
    expect(await page.getByRole('button', { name: 'Add an override' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('has the navigation in one row on a phone, with the view that is shown or focused in sight', async () => {
    await using page = await openAsOperator(service, '/settings', { viewport: { width: 390, height: 844 } })
    const navigation = page.getByRole('navigation', { name: 'Views' })
    await navigation.getByRole('link', { name: 'Manage' }).waitFor()
    const isInSight = async (link: Locator) => {
      const { x, width } = (await link.boundingBox())!
      return x >= 0 && x + width <= 390
    }
    const shown = navigation.getByRole('link', { name: 'Settings' })
    await expect.poll(() => isInSight(shown)).toBe(true)
    const links = await navigation.getByRole('link').all()
    const rows = await Promise.all(links.map(async (link) => (await link.boundingBox())!.y))
    expect(new Set(rows).size).toBe(1)
    for (const link of links) {
      await link.focus()
      await expect.poll(() => isInSight(link)).toBe(true)
    }
  })

  it('adds, changes and removes an override by keyboard, and refuses one that overlaps', async () => {
    await using page = await openAsOperator(service, '/on-call?schedule=primary')
    await page.getByRole('button', { name: 'Add an override' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add an override to primary' })
    await fillOverride(dialog, hostileName, inDays(9), inDays(8))
    await page.keyboard.press('Enter')
    await dialog.getByText('It must end after it begins.').waitFor()
    await fillOverride(dialog, hostileName, inDays(8), inDays(9))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('The overrides were saved.').waitFor()
    expect(await overridesOf('primary')).toEqual([{ from: inDays(8), to: inDays(9), personRef: 'bo' }])
    await blocksOf(page)
      .and(page.getByRole('button', { name: /\(override\)/ }))
      .waitFor()

    await page.getByRole('button', { name: 'Add an override' }).press('Enter')
    await fillOverride(dialog, 'Ana Berg', inDays(7), inDays(10))
    await page.keyboard.press('Enter')
    await dialog.getByText(/^It overlaps another override/).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await overridesOf('primary')).toHaveLength(1)

    await panelOf(page, 'Overrides')
      .getByRole('button', { name: /^Change/ })
      .press('Enter')
    const change = page.getByRole('dialog', { name: 'Change an override of primary' })
    await change.getByRole('combobox', { name: 'Who' }).selectOption({ label: 'Ana Berg' })
    await change.getByRole('button', { name: 'Save' }).press('Enter')
    await change.waitFor({ state: 'detached' })
    await panelOf(page, 'Overrides').getByText('Ana Berg').waitFor()
    await panelOf(page, 'Overrides')
      .getByRole('button', { name: /^Change/ })
      .press('Enter')
    await change.getByRole('button', { name: 'Remove this override' }).press('Enter')
    await page.getByText('No override is planned.').waitFor()
    expect(await overridesOf('primary')).toEqual([])
  })

  it('takes the time that is dragged over for an override', { tags: 'long' }, async () => {
    await using page = await openAsOperator(service, '/on-call?schedule=second')
    const weeks = panelOf(page, /^Eight weeks from/).getByRole('listitem')
    const [third, fourth] = await Promise.all(
      [2, 3].map(async (row) => (await weeks.nth(row).boundingBox())!),
    )
    // From noon of the third Sunday to the noon of the Monday after it.
    await page.mouse.move(third!.x + third!.width * (6.51 / 7), third!.y + 40)
    await page.mouse.down()
    await page.mouse.move(fourth!.x + fourth!.width * (0.48 / 7), fourth!.y + 40, { steps: 4 })
    await page.mouse.up()
    const dialog = page.getByRole('dialog', { name: 'Add an override to second' })
    const [from, to] = await Promise.all(
      [/^From/, /^To/].map((label) => dialog.getByLabel(label).inputValue()),
    )
    expect([from!.slice(11), to!.slice(11)]).toEqual(['12:00', '12:00'])
    expect(Date.parse(`${to}Z`) - Date.parse(`${from}Z`)).toBe(dayMs)
    expect(new Date(`${from}Z`).getUTCDay()).toBe(0)
  })

  it('overwrites nobody, and says what became of an override whose answer was lost', {
    tags: 'long',
  }, async () => {
    await using page = await openAsOperator(service, '/on-call?schedule=second')
    await page.getByRole('button', { name: 'Add an override' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an override to second' })
    await fillOverride(dialog, 'Ana Berg', inDays(4), inDays(5))
    const theirs = { from: inDays(20), to: inDays(21), personRef: 'cy' }
    const { data } = await client.getSchedule({ id: 'second' })
    await client.patchSchedule({
      id: 'second',
      ifMatch: data.metadata.resourceVersion!,
      body: { spec: { overrides: [theirs] } },
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/^This schedule was changed meanwhile, so nothing was saved/).waitFor()
    expect(await overridesOf('second')).toEqual([theirs])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await overridesOf('second')).toHaveLength(2)

    await page.route(
      '**/api/v2/schedules/second',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Add an override' }).click()
    await fillOverride(dialog, 'Ana Berg', inDays(30), inDays(31))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The answer was lost, but the overrides are stored.').waitFor()
    expect(await overridesOf('second')).toHaveLength(3)
  })

  it('shows which step of an escalation fires next, and whom it told, until a person acknowledges', async () => {
    await using page = await openAsOperator(service, '/alerts')
    const faults = faultsOf(page)
    const escalations = panelOf(page, 'Escalations')
    const next =
      /^Step 2 of 2, round 1 of 2, of the policy page fires in [45] h.*, unless a person acknowledges it\.$/
    await escalations.getByText(next).waitFor()
    await escalations.getByText(`Told: ${hostileName} (pager).`, { exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await escalations.getByRole('link', { name: 'Till' }).click()
    await page.getByRole('heading', { level: 1, name: 'Till' }).waitFor()
    await panelOf(page, 'Escalation').getByText(next).waitFor()
    await page.getByRole('link', { name: 'Story' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Incident: Till' }).waitFor()
    await panelOf(page, 'Escalation').getByText(next).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.goto(`${service.url}/alerts`)
    await escalations.getByRole('button', { name: 'Acknowledge Till' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await escalations.getByText('first takes care of it, so no step of the policy page fires.').waitFor()
    expect(await escalations.getByRole('button', { name: /Till/ }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('acknowledges all incidents of a page at once', { tags: 'long' }, async () => {
    await using page = await openAsOperator(service, '/alerts')
    const faults = faultsOf(page)
    const escalations = panelOf(page, 'Escalations')
    await escalations.getByText('and 1 more monitor').waitFor()
    const all = escalations.getByRole('button', { name: /^Acknowledge all 2 with Kiosk/ })
    await all.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Acknowledge many monitors' })
    await dialog.getByText('For each of 2 monitors:').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Continue' }).press('Enter')
    await dialog.getByRole('button', { name: /^Acknowledge/ }).press('Enter')
    await escalations.getByText('first takes care of it, so no step of the policy both fires.').waitFor()
    expect(await all.count()).toBe(0)
    const { data } = await client.listIncidents({})
    const kiosks = data.items.filter(({ monitorID }) => monitorID.startsWith('kiosk'))
    expect(kiosks.map(({ acknowledgedBy }) => acknowledgedBy)).toEqual(['first', 'first'])
    expect(faults).toEqual([])
  })

  it('is for reading to readers, and for nobody who is not signed in', { tags: 'long' }, async () => {
    await using page = await service.openAs(service.readerToken('rea'), '/on-call?schedule=primary')
    await page.getByText('Operators can change them here.').waitFor()
    await blocksOf(page).nth(1).click()
    await page
      .getByRole('status')
      .getByText(/, 09:00 – .*, 09:00$/)
      .waitFor()
    expect(await page.getByRole('button', { name: /override|take it|Hand over/ }).count()).toBe(0)
    await using other = await service.open('/on-call')
    await other.getByText('Sign in to see who is on call.').waitFor()
    expect(await other.getByRole('navigation', { name: 'Views' }).getByText('On call').count()).toBe(0)
  })

  it('fits a phone and an enlarged page, and breaks no rule in either theme', { tags: 'long' }, async () => {
    await createSchedule('long', ['cy', 'bo', 'ana'])
    await using page = await openAsOperator(service, '/on-call?schedule=long&person=cy', enlarged)
    await blocksOf(page).first().waitFor()
    expect(await smallPageFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Add an override' }).click()
    await page.getByRole('dialog').getByLabel(/^From/).waitFor()
    expect(await smallPageFaults(page)).toEqual([])
  })
})
