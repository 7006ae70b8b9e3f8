import { describe, expect, it } from 'vitest'
import { Secrets } from './secrets.ts'

describe('secrets', () => {
  it('of one value and purpose are one credential, named by the first that has it', () => {
    const secrets = new Secrets()
    const same = [secrets.secret('Shop', 'password', 'x'), secrets.secret('Other', 'password', 'x')]
    expect(same).toEqual([{ credential: 'shop-password' }, { credential: 'shop-password' }])
    expect(secrets.secret('shop', 'password', 'y')).toEqual({ credential: 'shop-password-2' })
    expect(secrets.variables.map(({ name, value }) => [name, value])).toEqual([
      ['FLEET_SHOP_PASSWORD', 'x'],
      ['FLEET_SHOP_PASSWORD_2', 'y'],
    ])
  })

  it.each([
    ['https://shop.example/health', true],
    ['https://shop.example/orders/2026-11-17?page=2', true],
    ['https://shop.example/a-rather-long-name-of-a-page', true],
    ['https://shop.example/?api_key=1', false],
    ['https://shop.example/#access_token=1', false],
    ['https://ward@shop.example/', false],
    ['https://hc-ping.example/5f2c7a10-4b7e-4b7c-9a51-1f2e3d4c5b6a', false],
    ['https://shop.example/releases/shop-2.14.3-linux-amd64.tar.gz', true],
    ['https://shop.example/?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0In0.dozjgNryP4J3jVmNHl0w5N', false],
    ['https://shop.example/hook/dGhpc2lzYXNlY3JldDEyMzQ1Njc4OTA=', false],
    ['https://shop.example/hook/dGhpc2lzYXNlY3JldDEyMzQ1Njc4OTA%3D', false],
    ['https://hooks.example/services/T01AB/B02CD/x8Zk2pQ9vLm4Rt7Yw1Ns6Bd3', false],
  ])('are seen in URLs: %s is open: %s', (url, isOpen) => {
    expect(typeof new Secrets().url('shop', url) === 'string').toBe(isOpen)
  })

  it('stay variables of the source where it has them', () => {
    const secrets = new Secrets({ expandsVariables: true })
    expect(secrets.secret('a', 'token', `\${TOKEN}`)).toEqual({ credential: 'token' })
    expect(secrets.open('b', 'host', '$TOKEN')).toEqual({ credential: 'token' })
    expect(secrets.open('b', 'host', 'cost: $$5')).toBe('cost: $5')
    expect(secrets.plain('x$TOKEN')).toBeNull()
    expect(secrets.credentials).toEqual({ token: { env: 'TOKEN' } })
  })

  it('have no variables in sources that do not expand them', () => {
    expect(new Secrets().open('a', 'host', '$HOST')).toBe('$HOST')
  })
})
