// views/manage/first-use/first-monitor.ts: the first monitor, made from a web address, as a resource and as commands.
// The address is untrusted: in the commands it can neither end the surrounding text nor be executed.
import type { Config } from '@pulseward/contract'
import type { JsonObject } from '../json.ts'
import { idFor } from '../resource-document.ts'

/** Null if it is not a web address. A name without a scheme becomes https. */
export function addressOf(typed: string): URL | null {
  const text = typed.trim()
  const address = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (address === null || !/^https?:$/.test(address.protocol) || address.hostname === '') return null
  // A login does not belong in an address that everyone can read.
  return address.username === '' && address.password === '' ? address : null
}

const check = { interval: '1m', timeout: '10s' }

export function firstMonitor(address: URL): JsonObject {
  const { id, name } = called(address)
  return {
    apiVersion: 'pulseward/v2',
    kind: 'Monitor',
    metadata: { id, name },
    spec: { check: { driver: { type: 'http', config: { url: address.href } }, ...check } },
  }
}

/** For a shell: a fleet file in a quoted here-document, in which nothing is expanded. */
export function commandsFor(address: URL, config: Pick<Config, 'edition'> | null): string {
  const { id, name } = called(address)
  const chosen = config === null ? '' : ` --edition ${config.edition}`
  return [
    "cat > fleet.yaml <<'END'",
    'version: 1',
    'monitors:',
    `  - id: ${id}`,
    `    name: ${JSON.stringify(name)}`,
    '    check:',
    '      type: http',
    `      interval: ${check.interval}`,
    `      timeout: ${check.timeout}`,
    `      config: { url: ${JSON.stringify(address.href)} }`,
    'END',
    `npx pulseward serve --config fleet.yaml${chosen}`,
  ].join('\n')
}

function called(address: URL): { readonly id: string; readonly name: string } {
  return { id: idFor(address.host) || 'first', name: address.host }
}
