// scripts/generate/sent-by-example.ts: what the endpoint of an example would send, built by its driver with
// sample credentials. Nothing is sent.
import { mapReferences } from '@pulseward/server/internal/config/fleet-file/credential-places.ts'
import type { HttpNotifier } from '@pulseward/server/internal/notify/driver/http.ts'
import { sentence } from '@pulseward/server/internal/notify/driver/wording.ts'
import type { Notification, Notifier } from '@pulseward/server/internal/notify/driver.ts'
import { composeMail } from '@pulseward/server/internal/notify/email/compose.ts'
import type { OutboundRequest } from '@pulseward/server/internal/platform/network/outbound-http.ts'
import { notificationOf } from '@pulseward/testing/notify'
import { load } from 'js-yaml'
import { fenced } from './driver-doc.ts'
import { exampleEnvironment } from './example-environment.ts'

interface Example {
  readonly credentials?: Readonly<Record<string, { readonly env: string }>>
  readonly endpoints: Readonly<Record<string, { readonly config?: object }>>
}

const red = notificationOf()
const green = notificationOf({
  color: 'green',
  status: 'up',
  severity: 'info',
  seen: 'HTTP 200 in 38 ms',
  sinceMs: Date.UTC(2026, 0, 31, 8, 24, 30),
  beganMs: red.sinceMs,
  actionId: '0mfx-d',
  atMs: Date.UTC(2026, 0, 31, 8, 25, 0),
})

/** The first endpoint of the example, for red and for green. */
export async function sentByExample(driver: Notifier, example: string): Promise<string> {
  const { credentials = {}, endpoints } = load(example) as Example
  const [endpoint] = Object.values(endpoints)
  const environment = exampleEnvironment(example)
  const standIn = (name: string): string => environment[credentials[name]!.env]!
  const config = mapReferences(driver.config, endpoint!.config ?? {}, ({ name }) => standIn(name))
  const [forRed, forGreen] = [await sent(driver, config, red), await sent(driver, config, green)]
  return `For red:\n\n${forRed}\n\nFor green:\n\n${forGreen}`
}

async function sent(driver: Notifier, config: unknown, notification: Notification): Promise<string> {
  if ('buildRequest' in driver) {
    return requestInWords((driver as HttpNotifier).buildRequest(config as never, notification))
  }
  const mail = config as { readonly from?: string; readonly to?: readonly string[] }
  if (mail.from === undefined) return fenced('text', sentence(notification))
  const message = await composeMail(mail.from, mail.to!, notification)
  return fenced('text', message.toString('utf8').replaceAll('\r\n', '\n').trimEnd())
}

function requestInWords({ method, url, headers, body }: OutboundRequest): string {
  const head = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  return fenced('text', [...head, '', bodyInWords(body ?? '')].join('\n'))
}

function bodyInWords(body: string): string {
  if (/^[[{]/.test(body)) return JSON.stringify(JSON.parse(body), null, 2)
  return [...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`).join('\n')
}
