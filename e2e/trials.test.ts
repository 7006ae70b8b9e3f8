// Trying a draft on the page, before it is saved: a check with what it saw, and a message through an endpoint. With the
// keyboard, and without a fault of accessibility.
import type { Client } from '@pulseward/client'
import { answers, HttpTarget, hangs } from '@pulseward/testing/targets'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { openAsOperator } from './operator-page.ts'
import { faultsOf, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const result = (page: Page, title: string) => page.getByRole('region', { name: title })

/** Presses the button as a person without a mouse does. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
}

/** What became of one trial; a principal may try once per second, so it may have to be asked for again. */
async function outcomeOf(page: Page, button: string, title: string): Promise<string> {
  for (;;) {
    await press(page, button)
    const ended = result(page, title).getByRole('status').filter({ hasNotText: 'from the service.' })
    const outcome = (await ended.textContent()) ?? ''
    if (!outcome.includes('Not tested.')) return outcome
  }
}

describeInBrowser('a draft on the page', () => {
  let service: ServiceWithPage
  let target: HttpTarget
  let client: Client
  beforeAll(async () => {
    target = await HttpTarget.start()
    service = await ServiceWithPage.start('next', {
      fleet: () => ({ version: 1, monitors: [] }),
      words: ['--allow-empty'],
      environment: { PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1' },
    })
    client = operatorClient(service)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]()
  })

  it('is checked once with Test, which shows what it saw and saves nothing', async () => {
    target.behave(answers({ status: 503, body: 'later' }))
    await using page = await openAsOperator(service, '/manage/new/monitors')
    const faults = faultsOf(page)
    await page.getByRole('link', { name: /^Website/ }).click()
    await page.getByRole('textbox', { name: 'Url' }).fill(target.url('/health'))
    await press(page, 'Test')
    const seen = result(page, 'Test of this draft')
    await seen.getByRole('status').getByText('It is not healthy: status 503, expected 200-299.').waitFor()
    await seen.getByText('503, not as expected (200-299)').waitFor()
    await seen.getByText(`127.0.0.1:${target.port}`).waitFor()
    await seen.getByText('First byte').waitFor()
    expect(await violationsOf(page)).toEqual([])

    target.behave(answers())
    await page.getByRole('textbox', { name: /^Name/ }).fill('Shop')
    await seen.getByText('the draft has changed since').waitFor()
    await expect.poll(() => outcomeOf(page, 'Test', 'Test of this draft')).toContain('It is healthy.')
    const { data } = await client.listMonitors({})
    expect(data.items).toEqual([])
    expect(faults).toEqual([])
  })

  it('stops a test that takes too long, and the service drops it', { tags: 'long' }, async () => {
    target.behave(hangs())
    const before = target.requests.length
    await using page = await openAsOperator(service, '/manage/new/monitors')
    await page.getByRole('link', { name: /^Website/ }).click()
    await page.getByRole('textbox', { name: 'Url' }).fill(target.url('/slow'))
    await page.getByRole('textbox', { name: 'Timeout' }).fill('60s')
    const refused = result(page, 'Test of this draft').getByText('Not tested.')
    const isAsked = () => target.requests.length > before
    do {
      await press(page, 'Test')
      await expect.poll(async () => isAsked() || (await refused.count()) > 0).toBe(true)
    } while (!isAsked())
    expect(target.requests.length).toBe(before + 1)
    await press(page, 'Stop the test')
    await result(page, 'Test of this draft').getByText('The test was stopped.').waitFor()
    await target.idle()
  })

  it('makes a credential where it is needed, and shows its value nowhere', { tags: 'long' }, async () => {
    const secret = 'bearer-that-nobody-may-see'
    await using page = await openAsOperator(service, '/manage/new/endpoints')
    await page.getByRole('textbox', { name: 'document' }).fill(`apiVersion: pulseward/v2
kind: NotificationEndpoint
metadata:
  id: chat
spec:
  type: slack
  config: {}
`)
    await page.getByRole('button', { name: /^New credential for/ }).click()
    const dialog = page.getByRole('dialog', { name: 'New credential' })
    await dialog.getByRole('button', { name: 'Create the credential' }).click()
    await dialog.getByRole('alert').getByText('Give it an ID and a value.').waitFor()
    await dialog.getByRole('textbox', { name: 'ID' }).fill('chat-hook')
    await dialog.getByLabel('Value').fill(secret)
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => page.getByRole('textbox', { name: 'document' }).inputValue())
      .toContain('credentialRefs:\n    hook: chat-hook\n')
    expect(await page.content()).not.toContain(secret)
    const { data } = await client.getCredential({ id: 'chat-hook' })
    expect(data.status?.available).toBe(true)
    expect((await client.listNotificationEndpoints({})).data.items).toEqual([])
  })

  it('sends one message with Send a test', async () => {
    target.behave(answers({ status: 404 }))
    await using page = await openAsOperator(service, '/manage/new/endpoints')
    await page.getByRole('textbox', { name: 'document' }).fill(`apiVersion: pulseward/v2
kind: NotificationEndpoint
metadata:
  id: ops
spec:
  type: webhook
  config:
    url: ${target.url('/hook')}
`)
    const before = target.requests.length
    expect(await outcomeOf(page, 'Send a test', 'Test message')).toContain(
      'The test message was not delivered: the provider answered 404.',
    )
    expect(target.requests.length).toBe(before + 1)
    expect(target.requests.at(-1)).toContain('"pulseward-test"')
    expect(await violationsOf(page)).toEqual([])
    const { data } = await client.listNotificationEndpoints({})
    expect(data.items).toEqual([])
  })
})
