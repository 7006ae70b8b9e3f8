// scripts/screenshots/next-service.ts: a service of the edition next for pictures, and the operators who are signed in to it.
import { mkdirSync } from 'node:fs'
import { createPrincipal } from '@pulseward/server/internal/access/edit-principals.ts'
import { dataDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { temporaryFolder } from '@pulseward/testing'
import { RunningCommand } from '@pulseward/testing/process'
import type { Page } from 'playwright-core'

export type Operator = 'mara' | 'ada'

export class NextService implements AsyncDisposable {
  readonly url: string
  /** Written before the service starts, which would otherwise notice them a moment later. */
  readonly tokens: Readonly<Record<Operator, string>>
  readonly #owned: AsyncDisposableStack

  private constructor(url: string, tokens: NextService['tokens'], owned: AsyncDisposableStack) {
    this.url = url
    this.tokens = tokens
    this.#owned = owned
  }

  /** With a token it shows nothing to visitors who are not signed in. */
  static async start(fleet: object, token?: string): Promise<NextService> {
    await using owned = new AsyncDisposableStack()
    const files = owned.use(temporaryFolder({ 'fleet.json': JSON.stringify(fleet) }))
    const data = files.path('data')
    mkdirSync(data, { mode: 0o700 })
    const tokenOf = (name: Operator) =>
      createPrincipal(dataDirectory(data), { name, role: 'operator', expiresMs: null, jobTypes: [] }).token
    const tokens = { mara: tokenOf('mara'), ada: tokenOf('ada') }
    const config = ['--config', files.path('fleet.json'), '--data', data, '--log-level', 'error']
    const command = new RunningCommand(['serve', '--listen', '127.0.0.1:0', '--edition', 'next', ...config], {
      environment: token === undefined ? {} : { PULSEWARD_TOKEN: token },
    })
    owned.use(command)
    const [, url] = await command.until('stdout', /^Pulseward +(http:\S+)$/m)
    return new NextService(url!, tokens, owned.move())
  }

  async signIn(page: Page): Promise<void> {
    await signInAs(page, this.url, this.tokens.mara)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned[Symbol.asyncDispose]()
  }
}

export async function signInAs(page: Page, url: string, token: string): Promise<void> {
  await page.goto(`${url}/settings`)
  const status = await page.evaluate(async (of) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/session', { method: 'POST', headers, body: JSON.stringify({ token: of }) })).status
  }, token)
  if (status !== 200) throw new Error(`signing in was answered with ${status}`)
}
