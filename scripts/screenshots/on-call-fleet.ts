// scripts/screenshots/on-call-fleet.ts: three people who share two schedules, and incidents that a policy pages them of.
import { type Client, createClient } from '@pulseward/client'
import type { v2 } from '@pulseward/contract'
import type { Browser, Page } from 'playwright-core'
import { TroubledTarget } from '../../e2e/troubled-fleet.ts'
import { NextService } from './next-service.ts'
import { takeAll, type Views } from './take.ts'

const views: Views = {
  'on-call': { path: '/on-call?schedule=primary', modes: ['light-1440'] },
  escalation: { path: '/alerts', modes: ['light-1440'], pose: waitForStep },
}

export const takeOnCall = {
  views,
  async take(browser: Browser, wanted: Views): Promise<void> {
    await using target = await TroubledTarget.start()
    await using service = await NextService.start({
      version: 1,
      endpoints: { 'ana-push': { type: 'log', config: {} }, 'bo-push': { type: 'log', config: {} } },
      monitors: [],
    })
    const client = createClient({
      baseUrl: service.url,
      token: service.tokens.mara,
      allowInsecureHttp: true,
      timeoutMs: 90_000,
    })
    await fill(client, target)
    await takeAll({ browser, url: service.url, enter: (page) => service.signIn(page) }, wanted)
  },
}

const apiVersion = 'pulseward/v2'
const dayMs = 86_400_000

async function fill(client: Client, target: TroubledTarget): Promise<void> {
  const people = { ana: 'Ana Berg', bo: 'Bo Lindqvist', cy: 'Cy Young' }
  for (const [id, name] of Object.entries(people)) {
    const spec = { timezone: 'Europe/Berlin', endpointRefs: [id === 'bo' ? 'bo-push' : 'ana-push'] }
    await client.createPerson({
      body: { apiVersion, kind: 'Person', metadata: { id, name }, spec },
      ifNoneMatch: '*',
    })
  }
  await createSchedule(client, 'primary', {
    timezone: 'Europe/Berlin',
    layers: [
      {
        personRefs: ['ana', 'bo', 'cy'],
        start: '2026-01-05T09:00',
        hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '00:00', to: '24:00' }],
      },
      {
        personRefs: ['cy'],
        start: '2026-01-05T00:00',
        hours: [{ days: ['sat', 'sun'], from: '08:00', to: '20:00' }],
      },
    ],
    overrides: [
      { from: dayAt(9, '09:00'), to: dayAt(12, '09:00'), personRef: 'bo' },
      { from: dayAt(30, '18:00'), to: dayAt(33, '09:00'), personRef: 'ana' },
    ],
  })
  await createIncidents(client, target)
  await createSchedule(client, 'shop-hours', {
    timezone: 'Europe/Berlin',
    layers: [
      {
        personRefs: ['bo', 'ana'],
        start: '2026-01-05T00:00',
        every: '1d',
        hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '20:00' }],
      },
    ],
  })
}

async function createIncidents(client: Client, target: TroubledTarget): Promise<void> {
  const spec: v2.Policy['spec'] = {
    steps: [
      { notify: [{ scheduleRef: 'primary' }], wait: '5m' },
      { notify: [{ scheduleRef: 'primary', allEndpoints: true }, { personRef: 'bo' }], wait: '15m' },
    ],
    repeat: 2,
    ackTimeout: '4h',
  }
  await client.createPolicy({
    body: { apiVersion, kind: 'Policy', metadata: { id: 'page' }, spec },
    ifNoneMatch: '*',
  })
  target.breaks('/till')
  for (const name of ['Till', 'Checkout', 'Search']) {
    const id = name.toLowerCase()
    const driver = { type: 'http', config: { url: target.url(`/${id}`) } }
    await client.createMonitor({
      body: {
        apiVersion,
        kind: 'Monitor',
        metadata: { id, name },
        spec: { policyRef: 'page', check: { driver, interval: '2s', timeout: '1s', unhealthyThreshold: 2 } },
      },
      ifNoneMatch: '*',
    })
  }
}

async function createSchedule(client: Client, id: string, spec: v2.Schedule['spec']): Promise<void> {
  await client.createSchedule({
    body: { apiVersion, kind: 'Schedule', metadata: { id }, spec },
    ifNoneMatch: '*',
  })
}

function dayAt(days: number, time: string): string {
  return `${new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)}T${time}`
}

async function waitForStep(page: Page): Promise<void> {
  await page
    .getByText(/^Told: Ana|^Told: Bo|^Told: Cy/)
    .first()
    .waitFor()
}
