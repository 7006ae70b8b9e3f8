// scripts/screenshots/demo-fleets.ts: the views of a small fleet with a past, in which something has just broken, and of a large
// one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@pulseward/client'
import { RunningCommand } from '@pulseward/testing/process'
import type { Browser, Page } from 'playwright-core'
import { signInAs } from './next-service.ts'
import { takeAll, type View, type Views } from './take.ts'

/** How long a demo runs before the first picture: incidents have opened and some have closed. */
const lifeMs = 75_000

const ofSmall: Views = {
  overview: { path: '/', modes: ['light-1440', 'dark-1440', 'light-390', 'dark-390'] },
  monitors: { path: '/monitors', modes: ['light-1440', 'light-390'] },
  alerts: { path: '/alerts', modes: ['light-1440', 'dark-390'] },
  system: { path: '/system', modes: ['dark-1440'] },
  settings: { path: '/settings', modes: ['light-1440'] },
  palette: { path: '/', modes: ['light-1440'], pose: find },
}
/** Of the monitor that has been in trouble for longest. */
const ofTroubled: Views = {
  monitor: { path: '', modes: ['light-1440', 'dark-390'] },
  report: { path: '/report', modes: ['light-1440'], onPaper: true },
}
const ofIncident: Views = {
  incident: { path: '', modes: ['light-1440', 'dark-390'] },
  why: { path: '', modes: ['light-1440'], pose: askWhy },
}
const ofLarge: Views = {
  'overview-5000': { path: '/', modes: ['light-1440'] },
  'monitors-5000': { path: '/monitors', modes: ['dark-1440'] },
}

export const takeSmall = {
  views: { ...ofSmall, ...ofTroubled, ...ofIncident },
  async take(browser: Browser, wanted: Views): Promise<void> {
    await using demo = await Demo.start(40)
    await wait(lifeMs)
    const { number, incidentId } = await demo.untilTroubled()
    await demo.handle(incidentId)
    const only = (of: Views, base = '') =>
      Object.fromEntries(
        Object.entries(of)
          .filter(([name]) => name in wanted)
          .map(([name, view]): [string, View] => [name, { ...view, path: base + view.path }]),
      )
    await takeAll(demo.sitting(browser), {
      ...only(ofSmall),
      ...only(ofTroubled, `/monitors/${number}`),
      ...only(ofIncident, `/incidents/${incidentId}`),
    })
  },
}

export const takeLarge = {
  views: ofLarge,
  async take(browser: Browser, views: Views): Promise<void> {
    await using demo = await Demo.start(5_000)
    await wait(lifeMs)
    await takeAll(demo.sitting(browser), views)
  },
}

async function find(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('gateway')
}

async function askWhy(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Why\?/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
}

/** `pulseward demo` of the edition next, and its first operator. */
class Demo implements AsyncDisposable {
  readonly #command: RunningCommand
  readonly #url: string
  readonly #token: string

  private constructor(command: RunningCommand, url: string, token: string) {
    this.#command = command
    this.#url = url
    this.#token = token
  }

  static async start(monitors: number): Promise<Demo> {
    const words = ['--monitors', String(monitors), '--listen', '127.0.0.1:0', '--edition', 'next']
    const command = new RunningCommand(['demo', ...words])
    const [, url] = await command.until('stdout', /^Pulseward +(http:\S+)$/m)
    const [, data] = await command.until('stdout', /^Data +(\S+)$/m)
    return new Demo(command, url!, readFileSync(join(data!, 'operator.token'), 'utf8').trim())
  }

  sitting(browser: Browser) {
    return { browser, url: this.#url, enter: (page: Page) => signInAs(page, this.#url, this.#token) }
  }

  /** The longest open incident; the demo has one every few minutes. */
  async untilTroubled(): Promise<{ readonly number: number; readonly incidentId: string }> {
    for (let looks = 0; looks < 300; looks++) {
      const answer = await fetch(`${this.#url}/api/v1/incidents`)
      const { incidents } = (await answer.json()) as { incidents: { id: number; incident_id: string }[] }
      const [oldest] = incidents
      if (oldest !== undefined) return { number: oldest.id, incidentId: oldest.incident_id }
      await wait(1_000)
    }
    throw new Error('No incident opened within five minutes.')
  }

  /** As people do with an incident. */
  async handle(id: string): Promise<void> {
    const { client } = this
    const { revision } = (await client.getIncident({ id })).data
    const body = { revision, note: 'Looking at the switch of the rack.' }
    await client.acknowledgeIncident({ id, ifMatch: revision, body })
    await client.addIncidentNote({
      id,
      body: { text: 'The switch lost its power supply; the spare is on its way.' },
    })
  }

  get client() {
    return createClient({ baseUrl: this.#url, token: this.#token, allowInsecureHttp: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Stopped, not killed: the demo deletes its folder.
    this.#command.signal('SIGTERM')
    await this.#command.ended
    await this.#command[Symbol.asyncDispose]()
  }
}
