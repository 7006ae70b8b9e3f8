// e2e/service-with-page.ts: the real service over a troubled fleet, and pages of a real browser on it:
// `await using service = await ServiceWithPage.start('candidate')`. It can be stopped and started again at
// its address. All tests share the browser of setup.ts.
import { readFileSync } from 'node:fs'
import {
  createPrincipal,
  listPrincipals,
  revokePrincipal,
} from '@pulseward/server/internal/access/edit-principals.ts'
import { writePrincipals } from '@pulseward/server/internal/access/principals-file.ts'
import { dataDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { type ServiceInProcess, serveInProcess } from '@pulseward/testing/process'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { TroubledTarget } from './troubled-fleet.ts'

/** Ends a test that would never pass, on any machine. */
export const patienceMs = 300_000

export type TestedEdition = 'main' | 'candidate' | 'next'

export interface ServiceOptions {
  readonly words?: readonly string[]
  readonly token?: string
  readonly environment?: Readonly<Record<string, string>>
  /** The fleet file; by default the troubled fleet. */
  readonly fleet?: (target: TroubledTarget) => object
  /** Fills the data directory before the first start. */
  readonly before?: (directory: string) => Promise<void>
}

export class ServiceWithPage implements AsyncDisposable {
  readonly target: TroubledTarget
  readonly browser: Browser
  readonly #owned: AsyncDisposableStack
  readonly #folder: TemporaryFolder
  readonly #edition: TestedEdition
  #running: ServiceInProcess | null = null
  #port = 0

  private constructor(
    parts: { target: TroubledTarget; browser: Browser; folder: TemporaryFolder; edition: TestedEdition },
    owned: AsyncDisposableStack,
  ) {
    this.target = parts.target
    this.browser = parts.browser
    this.#folder = parts.folder
    this.#edition = parts.edition
    this.#owned = owned
  }

  static async start(edition: TestedEdition, options: ServiceOptions = {}): Promise<ServiceWithPage> {
    await using owned = new AsyncDisposableStack()
    const target = owned.use(await TroubledTarget.start())
    const folder = owned.use(
      temporaryFolder({ 'fleet.json': JSON.stringify(options.fleet?.(target) ?? target.fleet()) }),
    )
    await options.before?.(folder.path('data'))
    const browser = await chromium.connect(inject('browserEndpoint')!)
    owned.defer(() => browser.close())
    const service = new ServiceWithPage({ target, browser, folder, edition }, owned.move())
    await service.run(options)
    return service
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** A one-time link, as a start on a terminal prints it; edition next only. */
  signInUrl(): string {
    return this.#running?.signInUrl() ?? ''
  }

  /** The token of the first operator; edition next only. */
  operatorToken(): string {
    return readFileSync(this.#folder.path('data/operator.token'), 'utf8').trim()
  }

  /** The token of a new reader; the service knows it within a second. Edition next only. */
  readerToken(name: string, expiresMs: number | null = null): string {
    const files = dataDirectory(this.#folder.path('data'))
    return createPrincipal(files, { name, role: 'reader', expiresMs, jobTypes: [] }).token
  }

  /** The token of another operator; the service knows it within a second. Edition next only. */
  secondOperatorToken(name: string): string {
    const files = dataDirectory(this.#folder.path('data'))
    return createPrincipal(files, { name, role: 'operator', expiresMs: null, jobTypes: [] }).token
  }

  revoke(name: string): void {
    revokePrincipal(dataDirectory(this.#folder.path('data')), name)
  }

  /** Makes the token of this principal expire a second ago. */
  expire(name: string): void {
    const files = dataDirectory(this.#folder.path('data'))
    const expiresMs = Date.now() - 1_000
    writePrincipals(
      files.principals,
      listPrincipals(files).map((one) => (one.name === name ? { ...one, expiresMs } : one)),
    )
  }

  /** The token of a new principal that may run this job type; edition next only. */
  workerToken(name: string, jobType: string): string {
    const files = dataDirectory(this.#folder.path('data'))
    return createPrincipal(files, { name, role: 'worker', expiresMs: null, jobTypes: [jobType] }).token
  }

  /** Rewrites the fleet file and makes the service reload it. */
  reload(fleet: object): void {
    this.#folder.write('fleet.json', JSON.stringify(fleet))
    void this.#running?.reload()
  }

  /** Can be called again after `stop`, and keeps the address. */
  async run({ words = [], token, environment = {} }: ServiceOptions = {}): Promise<void> {
    const data = this.#folder.path('data')
    this.#running = await serveInProcess(
      [
        '--listen',
        `127.0.0.1:${this.#port}`,
        '--config',
        this.#folder.path('fleet.json'),
        '--edition',
        this.#edition,
        '--data',
        data,
        '--snapshot-interval',
        '1s',
        ...words,
      ],
      { environment: { ...environment, ...(token !== undefined && { PULSEWARD_TOKEN: token }) } },
    )
    this.#port = Number(new URL(this.#running.url).port)
  }

  async stop(): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]()
    this.#running = null
  }

  /** A page that has not navigated yet. */
  async emptyPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    context.setDefaultTimeout(patienceMs)
    return context.newPage()
  }

  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.emptyPage(options)
    await page.goto(`${this.url}${path}`)
    await page.locator('h1').waitFor()
    return page
  }

  /** Like `open`, signed in with this token; edition next only. */
  async openAs(
    token: string,
    path: string,
    options: BrowserContextOptions = {},
    prepare: (page: Page) => Promise<void> = async () => {},
  ): Promise<Page> {
    const page = await this.emptyPage(options)
    await prepare(page)
    // The service notices a new principal by watching its file.
    await eventually(async () => {
      // With the cookies of the page.
      const answer = await page.request.post(`${this.url}/session`, { data: { token } })
      if (!answer.ok()) throw new Error(`signing in was answered with ${answer.status()}`)
    })
    await page.goto(`${this.url}${path}`)
    await page.getByRole('button', { name: 'Signed in as' }).waitFor()
    return page
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.#owned[Symbol.asyncDispose]()
  }
}
