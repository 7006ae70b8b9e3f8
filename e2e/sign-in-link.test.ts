// One-time links in a browser: they sign in without typing, leave no trace in the address, and say why they did not.
import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { faultsOf, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const token = 'the-token-of-v1-in-this-test'

describeInBrowser('a one-time link', () => {
  it('signs in, leaves the address, and is sent to nobody but in the body of one request', async () => {
    await using service = await ServiceWithPage.start('next', { token, fleet: (target) => target.fleet(0) })
    await using page = await service.emptyPage()
    const faults = faultsOf(page)
    const link = service.signInUrl()
    const secret = link.slice(link.indexOf('=') + 1)
    const requests: { readonly method: string; readonly head: string; readonly body: string | null }[] = []
    page.on('request', (request) =>
      requests.push({
        method: request.method(),
        head: `${request.url()} ${JSON.stringify(request.headers())}`,
        body: request.postData(),
      }),
    )
    await page.goto(link)
    await page.getByRole('button', { name: 'Signed in as first' }).waitFor()
    expect(page.url()).toBe(`${service.url}/`)
    const carrying = requests.filter(({ body }) => body?.includes(secret))
    expect(carrying.map(({ method }) => method)).toEqual(['POST'])
    expect(requests.filter(({ head }) => head.includes(secret))).toEqual([])
    await page.goto(`${service.url}/settings`)
    await page.goBack()
    expect(page.url()).not.toContain(secret)
    expect(faults).toEqual([])
  })

  it('says why it signed nobody in, beside where a token is', async () => {
    await using service = await ServiceWithPage.start('next', { fleet: (target) => target.fleet(0) })
    const link = service.signInUrl()
    await using first = await service.emptyPage()
    await first.goto(link)
    await first.getByRole('button', { name: 'Signed in as first' }).waitFor()
    await using second = await service.open('/')
    // Over a page that is open already.
    await second.goto(link)
    await second.getByRole('alert').getByText('The link was used before').waitFor()
    await second.getByText('data/operator.token').waitFor()
    expect(second.url()).toBe(`${service.url}/`)
    expect(await violationsOf(second)).toEqual([])
    await second.getByRole('button', { name: 'Close', exact: true }).click()
    await second.getByRole('button', { name: 'Sign in', exact: true }).click()
    await second.getByText('The token of the first operator is on this machine').waitFor()
    await second.goto(service.signInUrl())
    await second.getByRole('button', { name: 'Signed in as first' }).waitFor()
    expect(await second.getByRole('dialog').count()).toBe(0)
  })
})
