// scripts/screenshots/managed-fleet.ts: people who manage a small fleet, and act on its incidents.

import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '@pulseward/client'
import type { NextMonitorList, v2 } from '@pulseward/contract'
import type { Browser, Page } from 'playwright-core'
import { TroubledTarget } from '../../e2e/troubled-fleet.ts'
import { NextService, type Operator } from './next-service.ts'
import { takeAll, type Views } from './take.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true })
const why = (page: Page, reason: string) => dialogOf(page).getByRole('textbox', { name: /^Why/ }).fill(reason)

const views: Views = {
  act: { path: '/alerts', modes: ['dark-390'], pose: askToSnooze },
  'act-many': { path: '/monitors?q=card', modes: ['light-1440'] },
  manage: { path: '/manage', modes: ['dark-1440'] },
  'manage-form': { path: '/manage/monitors/payments-api', modes: ['light-1440', 'light-390'] },
  'manage-history': { path: '/manage/monitors/payments-api', modes: ['light-1440'], pose: goToHistory },
}

export const takeManaged = {
  views,
  async take(browser: Browser, wanted: Views): Promise<void> {
    await using target = await TroubledTarget.start()
    await using service = await NextService.start(fleetOf(target))
    await fill(service, target)
    const ada = clientOf(service, 'ada')
    const many = wanted['act-many']
    await takeAll(
      { browser, url: service.url, enter: (page) => service.signIn(page) },
      many === undefined
        ? wanted
        : { ...wanted, 'act-many': { ...many, pose: (page) => askOfMany(page, ada) } },
    )
  },
}

function fleetOf(target: TroubledTarget): object {
  const { monitors, ...rest } = target.fleet() as { readonly monitors: readonly object[] }
  const named = [
    { id: 'checkout', name: 'Checkout' },
    { id: 'search', name: 'Search' },
  ]
  return { ...rest, monitors: named.map((parts, index) => ({ ...monitors[index], ...parts })) }
}

async function fill(service: NextService, target: TroubledTarget): Promise<void> {
  const mara = clientOf(service, 'mara')
  const ada = clientOf(service, 'ada')
  await mara.createNotificationEndpoint({
    body: {
      apiVersion: 'pulseward/v2',
      kind: 'NotificationEndpoint',
      metadata: { id: 'ops-log', name: 'Ops log' },
      spec: { type: 'log', config: {} },
    },
    ifNoneMatch: '*',
  })
  const names = ['Payments API', 'Card gateway EU', 'Card gateway US', 'Card vault', 'Ledger', 'Mail relay']
  for (const name of names) {
    const id = name.toLowerCase().replaceAll(' ', '-')
    const body = monitorOf(id, name, target.url(`/${id}`))
    await mara.createMonitor({ body, ifNoneMatch: '*' })
  }
  await change(ada, 'payments-api', {
    metadata: { labels: { team: 'payments' } },
    spec: { check: { interval: '15s', driver: { config: { url: target.url('/payments-api/health') } } } },
  })
  await untilChecked(service)
  await change(mara, 'payments-api', { spec: { check: { timeout: '3s' }, tags: ['payments', 'tier-1'] } })
}

/** Pictures show a fleet that has been checked, not one that has just been created. */
async function untilChecked({ url }: NextService): Promise<void> {
  for (let looks = 0; looks < 240; looks++) {
    const { monitors } = (await (await fetch(`${url}/api/v1/monitors`)).json()) as NextMonitorList
    if (monitors.every(({ last_check }) => last_check !== null)) return
    await wait(500)
  }
  throw new Error('Not every monitor was checked within two minutes.')
}

function monitorOf(id: string, name: string, url: string): v2.Monitor {
  return {
    apiVersion: 'pulseward/v2',
    kind: 'Monitor',
    metadata: { id, name },
    spec: {
      check: { driver: { type: 'http', config: { url } }, interval: '30s', timeout: '5s' },
      notifications: { red: { endpointRefs: ['ops-log'] } },
    },
  }
}

function clientOf({ url, tokens }: NextService, name: Operator): Client {
  return createClient({ baseUrl: url, token: tokens[name], allowInsecureHttp: true, timeoutMs: 90_000 })
}

async function change(client: Client, id: string, body: v2.MergePatch): Promise<void> {
  const { resourceVersion } = await client.getMonitor({ id })
  await client.patchMonitor({ id, ifMatch: resourceVersion!, body })
}

async function askToSnooze(page: Page): Promise<void> {
  await button(page, 'Snooze Checkout').click()
  await dialogOf(page).getByRole('radio', { name: 'Until tomorrow, 9:00' }).check()
  await why(page, 'Load balancer under test.')
}

/** While the dialog is open, ada acts on one of them first. */
async function askOfMany(page: Page, ada: Client): Promise<void> {
  const bar = page.getByRole('group', { name: 'Selected monitors' })
  await page.getByRole('checkbox', { name: 'Select the rows of this page' }).check()
  await bar.getByRole('button', { name: 'Snooze', exact: true }).click()
  await why(page, 'The card network is being moved.')
  await inDialog(page, 'Continue').click()
  await inDialog(page, 'Snooze 3').waitFor()
  const { data } = await ada.getMonitor({ id: 'card-vault' })
  const revision = data.status!.controlRevision!
  const body = { revision, reason: 'A new certificate.', duration: '1h' }
  await ada.snoozeMonitor({ id: 'card-vault', ifMatch: revision, body })
  await inDialog(page, 'Snooze 3').click()
  await dialogOf(page).getByText('2 of 3 monitors done.').waitFor()
  await dialogOf(page).getByText('2 done', { exact: true }).click()
}

async function goToHistory(page: Page): Promise<void> {
  const panel = page.getByRole('region', { name: 'Who changed what' })
  await panel.getByText('Created by mara').waitFor()
  await panel.scrollIntoViewIfNeeded()
}
