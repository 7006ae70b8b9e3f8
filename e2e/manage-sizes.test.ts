// Managing the fleet and the first use of it on small and on enlarged pages, in both themes.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { openAsOperator } from './operator-page.ts'
import { enlarged, smallPageFaults } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const check = { type: 'tcp', config: { host: '127.0.0.1', port: 1 } }
const filed = { version: 1, monitors: [{ id: 'filed', name: 'Filed', enabled: false, check }] }
const seen = {
  apiVersion: 'pulseward/v2' as const,
  kind: 'Monitor' as const,
  metadata: { id: 'seen', name: `Seen ${'from far away '.repeat(10).trim()}` },
  spec: { enabled: false, check: { driver: check, interval: '1h', timeout: '1s' } },
}

async function expectToFit(page: Page, where: string): Promise<void> {
  expect(await smallPageFaults(page), where).toEqual([])
}

const waits: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  '/manage': (page) => page.getByText('There is no endpoint yet.').waitFor(),
  '/manage/credentials': (page) => page.getByRole('link', { name: 'New credential' }).waitFor(),
  '/manage/operations': (page) => page.getByText('0 of 12 uploaded').waitFor(),
  '/manage/new/monitors?template=json-api': (page) => page.getByRole('button', { name: 'Test' }).waitFor(),
  '/manage/new/credentials': (page) => page.getByRole('button', { name: 'Create the credential' }).waitFor(),
  '/manage/monitors/seen': (page) => page.getByText('Created by first').waitFor(),
  '/manage/monitors/filed': (page) => page.getByText('comes from the fleet file').waitFor(),
}

describeLongInBrowser('managing on small and enlarged pages', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', { fleet: () => filed })
    const client = operatorClient(service)
    await client.createMonitor({ body: seen, ifNoneMatch: '*' })
    await client.createOperation({ body: { contentDigest: 'opaque', itemCount: 12 } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it.each(Object.entries(waits))('fits at %s, and is free of violations', async (path, wait) => {
    await using page = await openAsOperator(service, path, enlarged)
    await wait(page)
    await expectToFit(page, path)
  })

  it('shows mistakes, and the question before leaving', async () => {
    await using page = await openAsOperator(service, '/manage/monitors/seen', enlarged)
    await page.getByText('Help with this monitor').click()
    await page.getByText('A duration is a whole number with its unit').waitFor()
    await expectToFit(page, 'the help')
    const text = page.getByRole('textbox', { name: 'document' })
    await text.fill(`a: "${'wide '.repeat(100)}`)
    await page.getByText('The quote that opens here is never closed.').waitFor()
    await expectToFit(page, 'a mistake')
    await page.getByRole('link', { name: 'All monitors' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.waitFor()
    await expectToFit(page, 'the question')
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Monitors' }).waitFor()
  })
})

describeLongInBrowser('first use on small and enlarged pages', () => {
  it('fits, and is free of violations', async () => {
    await using service = await ServiceWithPage.start('next', {
      fleet: () => ({ version: 1, monitors: [] }),
    })
    await using reader = await service.open('/', enlarged)
    await reader.getByRole('button', { name: 'Copy the commands' }).waitFor()
    await expectToFit(reader, 'commands')
    await using page = await openAsOperator(service, '/', enlarged)
    const field = page.getByRole('textbox', { name: 'The address of a website or an API' })
    await field.fill('ftp://example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Enter an address such as').waitFor()
    await expectToFit(page, 'a mistake')
    await field.fill(`${service.url}/api/v1/healthz`)
    await page.keyboard.press('Enter')
    await page.getByText(/is watched\. Its first check is due within a minute\./).waitFor()
    await expectToFit(page, 'what comes next')
  })
})
