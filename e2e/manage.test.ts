// Managing the fleet on the page of a real service of the edition next: forms and text of one document, conflicts, deletion,
// what files manage, and hostile input.
import type { Client } from '@pulseward/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { openAsOperator, signInByHand } from './operator-page.ts'
import { faultsOf, violationsOf } from './page-faults.ts'
import { pressInTurn } from './press-in-turn.ts'
import { ServiceWithPage } from './service-with-page.ts'

const filed = {
  version: 1,
  monitors: [
    {
      id: 'filed',
      name: 'Filed',
      enabled: false,
      check: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } },
    },
  ],
}

const monitor = (id: string, name: string) => ({
  apiVersion: 'pulseward/v2' as const,
  kind: 'Monitor' as const,
  metadata: { id, name },
  spec: {
    enabled: false,
    check: {
      driver: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } },
      interval: '1h',
      timeout: '1s',
    },
  },
})

/** Each as large as it may be, but for the bomb, whose lines stand for more than there is memory. */
const hostileTexts: readonly (readonly [text: string, sentence: string])[] = [
  ['['.repeat(2 ** 20), 'The document is nested deeper than 64 levels.'],
  [`a: "${'x'.repeat(2 ** 20)}"`, 'The document is larger than 1 MiB'],
  [`- ${'[1, 2, 3, 4, 5]\n- '.repeat(58_000)}1`, 'The document has too many parts to be edited here.'],
  [
    `a: &a [x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [*a, *a]\n`).join('')}`,
    'Anchors (&) are not accepted.',
  ],
  ['kind: Monitor\n---\nkind: Monitor\n', 'A second document begins here.'],
  ['__proto__:\n  polluted: true\n', 'The name __proto__ is not accepted.'],
]
const longDocument = `apiVersion: pulseward/v2
kind: Monitor
metadata:
  id: long
spec:
  check:
    interval: 1m
    timeout: 10s
    driver:
      type: http
      config:
        url: https://127.0.0.1/
        method: POST
        body: |
          -----BEGIN PRIVATE KEY-----
${`          ${'x'.repeat(69)}\n`.repeat(13_000)}`

const documentOf = (page: Page) => page.getByRole('textbox', { name: 'document' })
const statusOf = (page: Page, words: string | RegExp) =>
  page.getByRole('form').getByRole('status').getByText(words)
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

/** As a person who replaces everything. */
async function typeDocument(page: Page, text: string): Promise<void> {
  await documentOf(page).fill(text)
}

/** As a person who has copied it elsewhere. */
async function pasteDocument(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await documentOf(page).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+V')
}

async function textOf(page: Page): Promise<string> {
  return documentOf(page).inputValue()
}

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, role: 'button' | 'link' | 'textbox', name: string): Promise<void> {
  const element = page.getByRole(role, { name, exact: true }).first()
  await element.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    if (await element.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  expect.fail(`the keyboard does not reach ${name}`)
}

/** The focus is on this field. */
async function hasFocus(page: Page, name: string): Promise<void> {
  const field = page.getByRole('textbox', { name })
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
}

/** The service has answered what is wrong with the document after the change. */
async function expectAnswer(page: Page, change: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => response.url().endsWith('/collections/preflight'))
  await change()
  await answer
}

describeInBrowser('an operator', () => {
  let service: ServiceWithPage
  let client: Client
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', { fleet: () => filed })
    client = operatorClient(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('creates a monitor from a template with the keyboard alone', async () => {
    await using page = await signInByHand(service)
    const faults = faultsOf(page)
    await pressInTurn(page, 'g m', page.getByRole('heading', { level: 1, name: 'Monitors' }))
    await tabTo(page, 'link', 'New monitor')
    await page.keyboard.press('Enter')
    await tabTo(page, 'link', 'TCP port Something accepts connections.')
    await page.keyboard.press('Enter')
    await page.getByText('type: tcp').waitFor()
    await tabTo(page, 'textbox', 'Name optional')
    await page.keyboard.type('Till at the door')
    await tabTo(page, 'textbox', 'Host')
    await page.keyboard.type('127.0.0.1')
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Till at the door' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/manage/monitors/till-at-the-door')
    const { data } = await client.getMonitor({ id: 'till-at-the-door' })
    expect(data.spec.check).toEqual({
      driver: { type: 'tcp', config: { host: '127.0.0.1', port: 443 } },
      interval: '1m',
      timeout: '10s',
    })
    expect(faults).toEqual([])
  })

  it('is told of a mistake when its field was left, and led to the first one by saving', {
    tags: 'long',
  }, async () => {
    await using page = await openAsOperator(service, '/manage/new/monitors?template=port')
    await page.getByRole('textbox', { name: 'Host' }).waitFor()
    const isWrong = (name: string) => page.getByRole('textbox', { name }).getAttribute('aria-invalid')
    const shown = () => page.getByRole('form').getByText('Mistake: ').count()
    await expectAnswer(page, () => page.getByRole('textbox', { name: 'Name' }).first().fill('Door'))
    expect(await shown()).toBe(0)
    await page.getByRole('textbox', { name: 'Host' }).focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => isWrong('Host')).toBe('true')
    await page.getByRole('textbox', { name: 'Host' }).fill('db:5432')
    await page.getByText('with the port in "port" and without brackets').last().waitFor()
    await page.getByRole('textbox', { name: 'Interval' }).focus()
    await page.getByRole('button', { name: 'Create the monitor' }).click()
    await hasFocus(page, 'Host')
    await page.getByRole('textbox', { name: 'Host' }).fill('127.0.0.1')
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Create the monitor' }).click()
    await page.getByRole('heading', { level: 1, name: 'Door' }).waitFor()
    await statusOf(page, 'Created.').waitFor()
  })

  it('changes a monitor in the form, sees it in the text, and who did it', { tags: 'long' }, async () => {
    const body = monitor('by-form', 'By form')
    await client.createMonitor({
      body: { ...body, spec: { ...body.spec, tags: ['edge'] } },
      ifNoneMatch: '*',
    })
    await using page = await openAsOperator(service, '/manage/monitors/by-form')
    await page.getByRole('textbox', { name: 'Tags' }).fill('edge\npayments')
    await page.getByRole('textbox', { name: 'Interval' }).fill('2h')
    await page.getByRole('textbox', { name: 'Port' }).fill('8443')
    await expect
      .poll(() => textOf(page))
      .toBe(`apiVersion: pulseward/v2
kind: Monitor
metadata:
  id: by-form
  name: By form
spec:
  check:
    driver:
      config:
        host: 127.0.0.1
        port: 8443
      type: tcp
    interval: 2h
    timeout: 1s
  enabled: false
  tags:
    - edge
    - payments
`)
    await save(page)
    await statusOf(page, 'Saved.').waitFor()
    const { data } = await client.getMonitor({ id: 'by-form' })
    expect(data.spec.check.interval).toBe('2h')
    const history = page.getByRole('region', { name: 'Who changed what' })
    await history.getByText('Changed by first').waitFor()
    await history.getByText('check › interval').waitFor()
    await expect.poll(() => history.locator('del', { hasText: '1h' }).count()).toBe(1)
    await expect.poll(() => history.locator('ins', { hasText: '2h' }).count()).toBe(1)
  })

  it('changes a monitor in the text, sees it in the form, and mistakes at their line', {
    tags: 'long',
  }, async () => {
    await client.createMonitor({ body: monitor('by-text', 'By text'), ifNoneMatch: '*' })
    await using page = await openAsOperator(service, '/manage/monitors/by-text')
    await page.getByRole('textbox', { name: 'Interval' }).waitFor()
    const before = await textOf(page)

    const lineOf = (words: string) => before.split('\n').findIndex((line) => line.includes(words)) + 1
    const mistakeIsAt = (line: number) =>
      expect.poll(() => page.locator('[data-mark=mistake]').allInnerTexts()).toEqual([String(line)])

    await typeDocument(page, before.replace('interval: 1h', 'interval: "1h'))
    await page.getByText('The form is disabled until it can.').waitFor()
    await page.getByText('The quote that opens here is never closed.').waitFor()
    await page.getByRole('button', { name: `Line ${lineOf('interval')}`, exact: true }).waitFor()
    await mistakeIsAt(lineOf('interval'))
    await expect.poll(() => page.getByRole('textbox', { name: 'Interval' }).isDisabled()).toBe(true)

    await typeDocument(page, before.replace('timeout: 1s', 'interval: 9h'))
    await page.getByText('The name "interval" occurs twice in one mapping.').waitFor()
    await mistakeIsAt(lineOf('timeout'))

    await typeDocument(page, before.replace('timeout: 1s', 'timeout: 9h'))
    await page.getByText('is longer than the interval').first().waitFor()
    await mistakeIsAt(lineOf('timeout'))
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Timeout' }).getAttribute('aria-invalid'))
      .toBe('true')
    await save(page)
    await hasFocus(page, 'Timeout')

    await typeDocument(page, before.replace('interval: 1h', 'interval: 3h'))
    await expect.poll(() => page.getByRole('textbox', { name: 'Interval' }).inputValue()).toBe('3h')
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await save(page)
    await statusOf(page, 'Saved.').waitFor()
    expect((await client.getMonitor({ id: 'by-text' })).data.spec.check.interval).toBe('3h')
  })

  it('is told what changed meanwhile and by whom, and overwrites nothing unasked', {
    tags: 'long',
  }, async () => {
    await client.createMonitor({ body: monitor('contested', 'Contested'), ifNoneMatch: '*' })
    await using one = await openAsOperator(service, '/manage/monitors/contested')
    await using other = await openAsOperator(service, '/manage/monitors/contested')
    await other.getByRole('textbox', { name: 'Interval' }).fill('5h')
    await one.getByRole('textbox', { name: 'Timeout' }).fill('2s')
    await statusOf(other, 'Valid, not saved yet.').waitFor()
    await save(other)
    await statusOf(other, 'Saved.').waitFor()
    await statusOf(one, 'Valid, not saved yet.').waitFor()
    await save(one)
    const conflict = one.getByRole('region', { name: /was changed meanwhile by first/ })
    await conflict.waitFor()
    await expect.poll(() => conflict.locator('ins').innerText()).toContain('5h')
    expect(await violationsOf(one)).toEqual([])
    expect((await client.getMonitor({ id: 'contested' })).data.spec.check).toMatchObject({
      interval: '5h',
      timeout: '1s',
    })

    await conflict.getByRole('button', { name: 'Discard mine and take theirs' }).click()
    await expect.poll(() => one.getByRole('textbox', { name: 'Interval' }).inputValue()).toBe('5h')
    await one.getByRole('textbox', { name: 'Timeout' }).fill('2s')
    await statusOf(one, 'Valid, not saved yet.').waitFor()
    await save(one)
    await statusOf(one, 'Saved.').waitFor()

    await other.getByRole('textbox', { name: 'Timeout' }).fill('3s')
    await statusOf(other, 'Valid, not saved yet.').waitFor()
    await save(other)
    await other.getByRole('button', { name: /Keep mine/ }).click()
    await statusOf(other, 'Valid, not saved yet.').waitFor()
    await save(other)
    await statusOf(other, 'Saved.').waitFor()
    expect((await client.getMonitor({ id: 'contested' })).data.spec.check).toMatchObject({
      interval: '5h',
      timeout: '3s',
    })
  })

  it('looks, and does not send again, when the answer to a write is lost', { tags: 'long' }, async () => {
    await client.createMonitor({ body: monitor('lost', 'Lost'), ifNoneMatch: '*' })
    await using page = await openAsOperator(service, '/manage/monitors/lost')
    let writes = 0
    await page.route('**/api/v2/monitors/lost', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      writes++
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('textbox', { name: 'Interval' }).fill('4h')
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await save(page)
    await statusOf(page, 'The answer was lost, but what is stored now is what you see here.').waitFor()
    expect(writes).toBe(1)
    expect((await client.getMonitor({ id: 'lost' })).data.spec.check.interval).toBe('4h')
  })

  it('deletes a monitor only by its name', { tags: 'long' }, async () => {
    const name = '<b>Old</b> "till"'
    await client.createMonitor({ body: monitor('old', name), ifNoneMatch: '*' })
    await using page = await openAsOperator(service, '/manage/monitors/old')
    const faults = faultsOf(page)
    await tabTo(page, 'button', 'Delete')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This cannot be undone.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('textbox').fill('Old till')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('This is not its name.').waitFor()
    expect((await client.getMonitor({ id: 'old' })).data.metadata.name).toBe(name)
    await dialog.getByRole('textbox').fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Monitors' }).waitFor()
    await expect(client.getMonitor({ id: 'old' })).rejects.toMatchObject({ category: 'notFound' })
    expect(faults).toEqual([])
  })

  it('finds the operation that another client left open, and cancels it once it is confirmed', {
    tags: 'long',
  }, async () => {
    const body = { contentDigest: 'opaque', itemCount: 12 }
    const { id } = (await client.createOperation({ body })).data
    const kept = (await client.createOperation({ body })).data.id
    await using page = await openAsOperator(service, '/manage')
    const faults = faultsOf(page)
    await tabTo(page, 'link', 'Operations')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: id })
    await row.getByText('0 of 12 uploaded').waitFor()
    for (const words of ['Apply 12 items', 'staging', 'first']) await row.getByText(words).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await tabTo(page, 'button', `Cancel operation ${id}`)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Cancel this operation?' })
    await dialog.getByText('Nothing was applied, and nothing will be.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await client.getOperation({ id })).data.state).toBe('staging')
    await page.getByRole('button', { name: `Cancel operation ${id}` }).click()
    await dialog.getByRole('button', { name: 'Cancel the operation' }).click()
    await row.getByText('cancelled').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect((await client.getOperation({ id })).data).toMatchObject({ state: 'cancelled', applied: 0 })
    await page.getByRole('combobox', { name: 'State' }).selectOption('staging')
    await page.getByRole('row').filter({ hasText: kept }).waitFor()
    await expect.poll(() => row.count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?state=staging')
    await client.cancelOperation({ id: kept })
    await page.getByText('No operation is in this state.').waitFor()
    expect(faults).toEqual([])
  })

  it('does not ask for a cancellation again when its answer is lost', { tags: 'long' }, async () => {
    const body = { contentDigest: 'opaque', itemCount: 1 }
    const { id } = (await client.createOperation({ body })).data
    await using page = await openAsOperator(service, '/manage/operations')
    let asked = 0
    await page.route('**/cancel', async (route) => {
      asked++
      await route.abort()
    })
    await page.getByRole('button', { name: `Cancel operation ${id}` }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Cancel the operation' })
    await confirm.click()
    await dialog.getByRole('alert').getByText('The answer was lost').waitFor()
    await confirm.click({ force: true })
    expect(asked).toBe(1)
    await client.cancelOperation({ id })
  })

  it('only reads what a file manages, and is told which file', { tags: 'long' }, async () => {
    await using page = await openAsOperator(service, '/manage/monitors/filed')
    await page
      .getByText(/comes from the fleet file \S+fleet\.json; change it there\. It is read-only here\./)
      .waitFor()
    await expect.poll(() => documentOf(page).getAttribute('readonly')).not.toBe(null)
    expect(await page.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })

  it('makes a credential, an endpoint that uses it, a group and a route, and never sees the secret again', async () => {
    const secret = 'a-very-secret-value-0123'
    await using page = await openAsOperator(service, '/manage/new/credentials')
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Hook key')
    await page.getByLabel('Value', { exact: true }).fill(secret)
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    expect(await textOf(page)).not.toContain(secret)
    await page.getByRole('button', { name: 'Create the credential' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hook key' }).waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('textbox', { name: 'Description' }).fill('Opens the hook')
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await save(page)
    await statusOf(page, 'Saved.').waitFor()
    expect((await client.getCredential({ id: 'hook-key' })).data.status?.available).toBe(true)

    await page.goto(`${service.url}/manage/new/endpoints`)
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Hook')
    await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/')
    await page.getByText('More options').first().click()
    await page.getByRole('textbox', { name: 'Headers: a new name' }).fill('Authorization')
    await page.getByRole('textbox', { name: 'Headers: its value' }).fill('Bearer abcdefghijkl')
    await page.keyboard.press('Enter')
    await page.getByText('looks like a login').first().waitFor()
    await page.getByRole('button', { name: 'Authorization: from a credential' }).click()
    await page.getByRole('combobox', { name: 'Authorization' }).fill('hook-key')
    await expect.poll(() => page.locator('datalist option[value="hook-key"]').count()).toBe(1)
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Create the endpoint' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hook' }).waitFor()
    expect((await client.getNotificationEndpoint({ id: 'hook' })).data.spec).toEqual({
      type: 'webhook',
      config: { url: 'https://hooks.example.com/' },
      credentialRefs: { 'headers.Authorization': 'hook-key' },
    })

    await page.goto(`${service.url}/manage/new/groups`)
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Night shift')
    await page.getByRole('combobox', { name: 'Endpoint refs' }).fill('hook')
    await page.keyboard.press('Enter')
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Create the group' }).click()
    await page.getByRole('heading', { level: 1, name: 'Night shift' }).waitFor()
    expect((await client.getNotificationGroup({ id: 'night-shift' })).data.spec.endpointRefs).toEqual([
      'hook',
    ])

    await page.goto(`${service.url}/manage/new/routes`)
    await page.getByRole('link', { name: 'Tell a group about everything' }).click()
    await page.getByRole('checkbox', { name: 'yellow' }).check()
    await page.getByRole('combobox', { name: 'Group refs' }).fill('night-shift')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Match: a new name' }).fill('team')
    await page.getByRole('textbox', { name: 'Match: its value' }).fill('search')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove team' }).click()
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Create the route' }).click()
    await page.getByRole('heading', { level: 1, name: 'Everything' }).waitFor()
    expect((await client.getRoute({ id: 'everything' })).data.spec).toMatchObject({
      match: {},
      colors: ['red', 'yellow', 'green'],
      groupRefs: ['night-shift'],
    })
    await page.goto(`${service.url}/manage/routes`)
    await page.getByText('red, yellow, green of every monitor to night-shift').waitFor()

    await page.goto(`${service.url}/manage/endpoints/hook`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Hook')
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/Something still refers to/)
      .waitFor()
  })

  it.each([
    'website',
    'json-api',
    'certificate',
    'ping',
    'port',
    'dns',
    'postgres',
    'mysql',
    'redis',
    'mail',
  ])('is asked by the template %s only for what the driver knows', { tags: 'long' }, async (template) => {
    await using page = await openAsOperator(service, `/manage/new/monitors?template=${template}`)
    const faults = faultsOf(page)
    await page.getByRole('textbox', { name: 'Name' }).first().fill('From a template')
    const address = page.getByRole('textbox', { name: /^(URL|Host)$|^Host / }).first()
    await address.fill((await address.inputValue()).startsWith('http') ? 'https://127.0.0.1/' : '127.0.0.1')
    const user = page.getByRole('textbox', { name: /^User/ }).first()
    if ((await user.count()) > 0) await user.fill('watcher')
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    expect(faults).toEqual([])
  })

  it('gets through hostile documents unharmed', { tags: 'long' }, async () => {
    await using page = await openAsOperator(service, '/manage/new/monitors', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const faults = faultsOf(page)
    await page.getByRole('textbox', { name: 'URL' }).waitFor()
    for (const [text, sentence] of hostileTexts) {
      await pasteDocument(page, text)
      await page.getByText(sentence).waitFor()
      await expect.poll(() => textOf(page)).toBe(text)
    }
    await pasteDocument(page, longDocument)
    await page.getByText('looks like a private key').first().waitFor()
    const long = await page.getByRole('textbox', { name: 'Body optional' }).inputValue()
    expect(long.length).toBeGreaterThan(900_000)
    await typeDocument(page, '{"constructor": {"polluted": true}, "kind": 7, "spec": []}')
    await page.getByRole('form').getByText('mistake').first().waitFor()
    expect(await page.evaluate(() => (({}) as Record<string, unknown>)['polluted'])).toBeUndefined()
    const name = '<img src=x onerror=alert(1)> \u202E evil'
    const body = {
      ...monitor('hostile', name),
      metadata: { id: 'hostile', name, labels: { 'a/b': '"><script>alert(1)</script>' } },
    }
    await typeDocument(page, JSON.stringify(body, null, 2))
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Create the monitor' }).click()
    await page.getByRole('heading', { level: 1, name: /<img src=x onerror=alert\(1\)>/ }).waitFor()
    expect((await client.getMonitor({ id: 'hostile' })).data.metadata.name).toBe(name)
    await page.getByRole('textbox', { name: 'Name' }).first().fill('"><script>alert(2)</script>')
    await statusOf(page, 'Valid, not saved yet.').waitFor()
    await save(page)
    await page
      .getByRole('region', { name: 'Who changed what' })
      .getByText('<script>alert(2)</script>')
      .waitFor()
    expect(faults).toEqual([])
  })
})

describeInBrowser('a reader', () => {
  it('is offered nothing to manage', { tags: 'long' }, async () => {
    await using service = await ServiceWithPage.start('next', { fleet: () => filed })
    await using page = await service.open('/manage')
    await page.getByText('Sign in as an operator to create, change and delete what is watched.').waitFor()
    expect(await page.getByRole('link', { name: 'Manage' }).count()).toBe(0)
    await page.goto(`${service.url}/monitors`)
    await page.getByRole('link', { name: 'Filed' }).click()
    await page.getByRole('heading', { level: 1, name: 'Filed' }).waitFor()
    expect(await page.getByRole('link', { name: /^Edit$|New monitor/ }).count()).toBe(0)
  })
})

describeInBrowser('an edition whose fleet is in files', () => {
  it('says so where others manage', { tags: 'long' }, async () => {
    await using service = await ServiceWithPage.start('candidate', { fleet: () => filed })
    await using page = await service.open('/manage')
    await page.getByText('This edition takes its fleet from files.').waitFor()
    expect(await page.getByRole('link', { name: 'Manage' }).count()).toBe(0)
  })
})
