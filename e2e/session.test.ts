// Signing in to the page of the edition next, with the keyboard alone: the form, who one is, what ends a session, and what
// a page of another origin makes of it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { enlarged, faultsOf, smallPageFaults, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const token = 'the-token-of-v1-in-this-test'
const path = '/monitors?q=Search'

const protectedService = () => ServiceWithPage.start('next', { token, fleet: (target) => target.fleet(0) })
const formOf = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sign in' })
const search = (page: Page) => page.getByRole('link', { name: 'Search' })

/** The form has the focus. */
async function typeToken(page: Page, text: string): Promise<void> {
  await page.locator('input[type=password]:focus').waitFor()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

async function signedIn(service: ServiceWithPage, at = path): Promise<Page> {
  const page = await service.open(at)
  await typeToken(page, service.operatorToken())
  await page.getByRole('button', { name: 'Signed in as first' }).waitFor()
  return page
}

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await button.waitFor()
  for (let presses = 0; presses < 40; presses++) {
    if (await button.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  expect.fail(`the keyboard does not reach ${name}`)
}

describeInBrowser('a service that asks for a token', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await protectedService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('takes one by keyboard alone and goes on at the address that was opened', async () => {
    await using page = await service.emptyPage()
    const faults = faultsOf(page)
    await page.goto(service.url + path)
    await formOf(page).waitFor()
    expect(await search(page).count()).toBe(0)
    await typeToken(page, 'pw_wrong')
    await page.getByRole('alert').getByText('The token is not one of a principal.').waitFor()
    await typeToken(page, service.operatorToken())
    await search(page).waitFor()
    expect(page.url()).toBe(service.url + path)
    await page.reload()
    await search(page).waitFor()
    await tabTo(page, 'Signed in as first')
    await page.keyboard.press('Enter')
    await page.getByText('As first, an operator: you may look and act.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await tabTo(page, 'Sign out')
    await page.keyboard.press('Enter')
    await formOf(page).waitFor()
    expect(await page.getByText('Your session has ended').count()).toBe(0)
    expect(await search(page).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('lets an operator sign in, acknowledge an incident and sign out without a mouse', {
    tags: 'long',
  }, async () => {
    await using page = await service.emptyPage()
    const faults = faultsOf(page)
    await page.goto(`${service.url}/alerts`)
    await typeToken(page, service.operatorToken())
    const row = page.getByRole('link', { name: 'Checkout', exact: true }).first()
    await row.waitFor()
    await tabTo(page, 'Acknowledge Checkout')
    await page.keyboard.press('Enter')
    await page.locator('dialog input[name=reason]:focus').waitFor()
    await page.keyboard.type('on it')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Checkout: the incident is acknowledged.').waitFor()
    await page.getByText('first is looking into it.').waitFor()
    await tabTo(page, 'Signed in as first', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Sign out')
    await page.keyboard.press('Enter')
    await page.locator('input[type=password]:focus').waitFor()
    expect(await row.count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('fits a phone and a page enlarged to 200 %, and breaks no rule in either theme', {
    tags: 'long',
  }, async () => {
    await using page = await service.open(path, enlarged)
    await typeToken(page, 'pw_wrong')
    await page.getByRole('alert').getByText('The token is not one').waitFor()
    expect(await smallPageFaults(page)).toEqual([])
    await typeToken(page, service.operatorToken())
    await search(page).waitFor()
    await page.getByRole('button', { name: 'Signed in as first' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await smallPageFaults(page)).toEqual([])
  })

  it('lets the login of the browser read, and leads back', { tags: 'long' }, async () => {
    const httpCredentials = { username: 'svc', password: token }
    await using page = await service.open(path, { httpCredentials })
    await page.getByRole('link', { name: 'log in as svc' }).click()
    await search(page).waitFor()
    expect(page.url()).toBe(service.url + path)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })

  it('ends a session in all tabs, and begins one in all of them', { tags: 'long' }, async () => {
    await using one = await signedIn(service)
    const other = await one.context().newPage()
    await other.goto(service.url + path)
    await search(other).waitFor()
    await one.getByRole('button', { name: 'Signed in as first' }).click()
    await one.getByRole('button', { name: 'Sign out' }).click()
    await formOf(other).waitFor()
    await formOf(one).waitFor()
    await typeToken(one, service.operatorToken())
    await search(one).waitFor()
    await search(other).waitFor()
  })

  it('lets a page of another origin read and change nothing with the session of a visitor', {
    tags: 'long',
  }, async () => {
    await using page = await signedIn(service)
    const elsewhere = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>elsewhere</title>')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    try {
      // Another port of the same host: to the browser the same site, so that it sends the cookie along.
      const visitor = await page.context().newPage()
      await visitor.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
      const attempts = await visitor.evaluate(attempt, service.url)
      expect(attempts).toEqual({ read: 'refused', csrf: 'refused', write: 'refused', signOut: 'refused' })
    } finally {
      elsewhere.close()
    }
    const { monitors } = await page.evaluate(async () => (await fetch('/api/v1/monitors?q=stolen')).json())
    expect(monitors).toEqual([])
    await page.reload()
    await page.getByRole('button', { name: 'Signed in as first' }).waitFor()
  })

  it.each([
    [
      'the service restarts',
      async () => {
        await service.stop()
        await service.run({ token })
      },
    ],
    ['its token is revoked', async () => service.revoke('first')],
  ])('says when a session ended because %s, and keeps the address', { tags: 'long' }, async (_, end) => {
    await using page = await signedIn(service)
    await search(page).waitFor()
    await end()
    await formOf(page).waitFor()
    await page.getByText('Your session has ended. Sign in again to continue where you were.').waitFor()
    expect(await search(page).count()).toBe(0)
    expect(page.url()).toBe(service.url + path)
  })
})

describeInBrowser('a service that is open to this machine', () => {
  it('offers to sign in, and says when the session has ended', { tags: 'long' }, async () => {
    await using service = await ServiceWithPage.start('next')
    const token = service.readerToken('ada')
    // Then the service has heard of the new principal, and the token is typed once.
    await using _ = await service.openAs(token, '/settings')
    await using page = await service.open(path)
    await search(page).waitFor()
    await tabTo(page, 'Sign in')
    await page.keyboard.press('Enter')
    await typeToken(page, token)
    const button = page.getByRole('button', { name: 'Signed in as ada' })
    await button.click()
    await page.getByText('As ada, a reader: you may look but not change anything.').waitFor()
    await page.keyboard.press('Escape')
    service.revoke('ada')
    await page.getByText('Your session has ended. Sign in again to act.').waitFor()
    await search(page).waitFor()
  })
})

describeInBrowser('an edition without sessions', () => {
  it.each(['main', 'candidate'] as const)(
    '(%s) does not speak of them',
    { tags: 'long' },
    async (edition) => {
      await using service = await ServiceWithPage.start(edition)
      await using page = await service.emptyPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goto(service.url + path)
      await search(page).waitFor()
      expect(await page.getByRole('button', { name: /sign/i }).count()).toBe(0)
      expect(asked).not.toContain('/session')
    },
  )
})

/** Runs in the page of the other origin. */
async function attempt(url: string) {
  const outcomeOf = async (path: string, init: RequestInit) => {
    try {
      const response = await fetch(url + path, { credentials: 'include', ...init })
      return `answered ${response.status}`
    } catch {
      return 'refused'
    }
  }
  const body = '{"apiVersion":"pulseward/v2","kind":"Monitor","metadata":{"id":"stolen"},"spec":{}}'
  const headers = { 'content-type': 'application/json', 'x-pulseward-csrf': 'guess' }
  return {
    read: await outcomeOf('/api/v1/overview', {}),
    csrf: await outcomeOf('/session', {}),
    write: await outcomeOf('/api/v2/monitors', { method: 'POST', headers, body }),
    signOut: await outcomeOf('/session', { method: 'DELETE' }),
  }
}
