// e2e/operator-page.ts: a page on which an operator is signed in, on a service of the edition next that is
// open to this machine.
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { ServiceWithPage } from './service-with-page.ts'

export async function openAsOperator(
  service: ServiceWithPage,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await service.openAs(service.operatorToken(), path, options)
  await page.locator('h1').waitFor()
  return page
}

/** Like `openAsOperator`, from the button to the typed token. */
export async function signInByHand(service: ServiceWithPage): Promise<Page> {
  const page = await service.open('/')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('input[type=password]:focus').waitFor()
  await page.keyboard.type(service.operatorToken())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Signed in as first' }).waitFor()
  return page
}
