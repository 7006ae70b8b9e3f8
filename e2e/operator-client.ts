// e2e/operator-client.ts: a client of the tested service that waits longer than a busy machine needs.
import { type Client, createClient } from '@pulseward/client'
import type { ServiceWithPage } from './service-with-page.ts'

export function operatorClient(
  service: Pick<ServiceWithPage, 'url' | 'operatorToken'>,
  token: string = service.operatorToken(),
): Client {
  return createClient({ baseUrl: service.url, token, allowInsecureHttp: true, timeoutMs: 300_000 })
}
