import { describe, expect, it } from 'vitest'
import { firstDestination, kindOf } from './first-destination.ts'

const at = (text: string) => new URL(text)

describe('the first destination', () => {
  it.each([
    ['https://hooks.slack.com/services/T/B/x', 'slack'],
    ['https://discord.com/api/webhooks/1/x', 'discord'],
    ['https://prod-1.westeurope.logic.azure.com/workflows/x', 'teams'],
    ['https://chat.googleapis.com/v1/spaces/x', 'google_chat'],
    ['https://ntfy.sh/my-topic', 'ntfy'],
    ['https://hooks.slack.com.evil.example/x', 'webhook'],
    ['http://127.0.0.1:9/x', 'webhook'],
  ])('recognizes %s as %s', (address, kind) => {
    expect(kindOf(at(address))).toBe(kind)
  })

  it('keeps an address that is a secret in a credential alone', () => {
    const { credential, ...others } = firstDestination('slack', at('https://hooks.slack.com/services/T/B/x'))
    expect(credential).toMatchObject({
      kind: 'Credential',
      metadata: { id: 'slack-address' },
      spec: { value: 'https://hooks.slack.com/services/T/B/x' },
    })
    expect(JSON.stringify(others)).not.toContain('hooks.slack.com')
    expect(others.endpoint['spec']).toEqual({
      type: 'slack',
      config: {},
      credentialRefs: { hook: 'slack-address' },
    })
  })

  it('is a topic of a server for ntfy, and a URL for another program', () => {
    const ntfy = firstDestination('ntfy', at('https://ntfy.sh/my-topic'))
    expect(ntfy.credential).toBeNull()
    expect(ntfy.endpoint['spec']).toEqual({
      type: 'ntfy',
      config: { api_url: 'https://ntfy.sh', topic: 'my-topic' },
    })
    const other = firstDestination('webhook', at('http://127.0.0.1:9/x'))
    expect(other.endpoint['spec']).toEqual({ type: 'webhook', config: { url: 'http://127.0.0.1:9/x' } })
  })

  it('is told of every red and green', () => {
    expect(firstDestination('webhook', at('http://a.test/')).route['spec']).toEqual({
      match: {},
      colors: ['red', 'green'],
      endpointRefs: ['webhook'],
    })
  })
})
