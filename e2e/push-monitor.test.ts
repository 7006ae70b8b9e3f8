// The page of a job that reports by itself, in a real browser: its last weeks, and a new key that is shown once.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { openAsOperator } from './operator-page.ts'
import { faultsOf, sidewaysPixels, smallPageFaults, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const apiVersion = 'pulseward/v2' as const
const check = { type: 'tcp', interval: '1h', config: { host: '127.0.0.1', port: 1 } }
const fleet = { version: 1, monitors: [{ id: 'filed', name: 'Filed', enabled: false, check }] }

describeInBrowser('the page of a job that reports by itself', () => {
  let service: ServiceWithPage
  let key: string
  let page: string

  const report = async (by: string) => {
    const { status } = await fetch(`${service.url}/push/${by}?msg=ten+files`, { method: 'POST' })
    return status
  }

  beforeAll(async () => {
    service = await ServiceWithPage.start('next', { fleet: () => fleet })
    const token = service.operatorToken()
    const client = operatorClient(service, token)
    key = (await client.createPushKey({ body: { credential: 'backup-key' } })).data.key
    const driver = { type: 'push', config: { every: '1h' }, credentialRefs: { key: 'backup-key' } }
    await client.createMonitor({
      body: {
        apiVersion,
        kind: 'Monitor',
        metadata: { id: 'backup', name: 'Backup' },
        spec: { check: { driver } },
      },
      ifNoneMatch: '*',
    })
    expect(await report(key)).toBe(200)
    const list = await fetch(`${service.url}/api/v1/monitors`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { monitors } = (await list.json()) as { monitors: { id: number; name: string }[] }
    page = `/monitors/${monitors.find(({ name }) => name === 'Backup')!.id}`
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('shows what was expected and what came in the last weeks', async () => {
    await using shown = await openAsOperator(service, page)
    const faults = faultsOf(shown)
    const days = shown.getByRole('list', { name: 'Expected and received, by day' })
    await days.getByText(/: 1 of 1 came$/).waitFor({ state: 'attached' })
    expect(await days.getByRole('listitem').count()).toBe(28)
    expect(await violationsOf(shown)).toEqual([])
    await shown.setViewportSize({ width: 390, height: 844 })
    expect(await sidewaysPixels(shown)).toBeLessThanOrEqual(0)
    expect(faults).toEqual([])
  })

  it('replaces its key, shows the new one once, and hears both', async () => {
    await using shown = await openAsOperator(service, page)
    const faults = faultsOf(shown)
    await shown.getByRole('button', { name: 'Replace the key…' }).press('Enter')
    const question = shown.getByRole('dialog', { name: 'Replace the key of this job?' })
    expect(await violationsOf(shown)).toEqual([])
    await question.getByRole('button', { name: 'Replace the key' }).press('Enter')
    const answer = shown.getByRole('dialog', { name: 'The new key' })
    const address = await answer
      .getByText(/\/push\//)
      .first()
      .textContent()
    const replaced = address!.split('/push/')[1]!
    expect(replaced).not.toBe(key)
    expect(await smallPageFaults(shown)).toEqual([])
    expect([await report(replaced), await report(key)]).toEqual([200, 200])
    await answer.getByRole('button', { name: 'Close' }).click()
    await shown.reload()
    await shown.getByText('Previous key').waitFor()
    expect(await shown.content()).not.toContain(replaced)
    // The key before the present one would stop working: the page says so first.
    await shown.getByRole('button', { name: 'Replace the key…' }).click()
    await shown.getByText('The key before the present one').waitFor()
    expect(faults).toEqual([])
  })
})
