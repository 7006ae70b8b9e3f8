// Where a server is and who logs in, as fleet files write it: what is refused, what is shown, what is connected to.
import { mistakesIn } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { type Protocol, type ServerConfig, serverOf, serverTarget } from './server-config.ts'

async function mistakes(type: string, config: object): Promise<string[]> {
  const credentials = { PASSWORD: { env: 'PASSWORD' }, URL: { env: 'URL' } }
  const fleet = { credentials, monitors: [{ name: 'a', check: { type, config } }] }
  const environment = { PASSWORD: 'hidden-one', URL: 'redis://ward:hidden-two@cache.test' }
  const found = await mistakesIn({ 'fleet.json': JSON.stringify(fleet) }, { environment })
  return found.map((mistake) => mistake.replace('1: monitors[0].check.', ''))
}

const password = { credential: 'PASSWORD' }

describe('a configuration with a server', () => {
  it.each([
    ['redis', { host: 'cache.test', password }],
    ['redis', { url: 'rediss://cache.test:6380/3', password }],
    ['redis', { url: { credential: 'URL' } }],
    ['postgres', { url: 'postgresql://ward@db.test/shop', password }],
    ['postgres', { url: { credential: 'URL' } }],
    ['mysql', { url: 'mariadb://db.test', user: 'ward' }],
    ['mongo', { url: 'mongodb://[::1]:27018/admin', tls: {} }],
    ['mqtt', { url: 'mqtts://broker.test' }],
    ['rabbitmq', { url: 'amqp://rabbit.test/%2F' }],
    ['kafka', { brokers: ['a.test', 'b.test:9093', '[::1]:9094'] }],
  ])('is accepted: %s %j', async (type, config) => {
    expect(await mistakes(type, config)).toEqual([])
  })

  it.each([
    ['redis', {}, 'config: needs url or host.'],
    ['redis', { host: 'a', url: 'redis://a' }, 'config: has both url and host; give only one of them.'],
    ['redis', { url: 'redis://a', port: 1 }, 'config: has both url and port; give the port in the url.'],
    [
      'redis',
      { url: 'http://a' },
      'config.url: must be a url that begins with redis:// or rediss:// and names a host.',
    ],
    ['redis', { url: 'redis://a/first' }, 'config.url: must name a valid database.'],
    [
      'redis',
      { url: 'redis://ward:hidden@a' },
      'config.url: must not hold a password: write the whole url as { credential: NAME }, or use user and password.',
    ],
    ['mqtt', { url: 'mqtt://a/b' }, 'config.url: must end after the port.'],
    ['postgres', { host: 'a' }, 'config: needs user.'],
    ['mysql', { url: 'mysql://a' }, 'config: needs user.'],
    [
      'postgres',
      { url: 'postgres://ward@a?sslmode=require' },
      'config.url: must not have options after ? or #; the check has its own.',
    ],
    [
      'rabbitmq',
      { url: 'amqp://a', max_messages: 1 },
      'config: needs queue for max_messages and min_consumers.',
    ],
    ['kafka', { brokers: ['a:b'] }, 'config.brokers[0]: must be HOST:PORT, or a host alone for port 9092.'],
    [
      'kafka',
      { brokers: ['a:70000'] },
      'config.brokers[0]: must be HOST:PORT, or a host alone for port 9092.',
    ],
    ['kafka', { brokers: ['a'], user: 'ward' }, 'config: needs user and password together.'],
    [
      'kafka',
      { brokers: ['a'], min_in_sync_replicas: 2 },
      'config: needs topic, of which min_in_sync_replicas speaks.',
    ],
  ])('is refused: %s %j', async (type, config, mistake) => {
    expect(await mistakes(type, config)).toEqual([mistake])
  })

  it('is refused for a password in open text, without repeating it', async () => {
    const found = await mistakes('redis', { host: 'a', password: 'hunter2' })
    expect(found).toEqual([
      expect.stringMatching(/^config\.password: a secret must not be written in a fleet file/),
    ])
    expect(found.join()).not.toContain('hunter2')
  })

  it.each([
    ['reddis', 'redis', {}],
    ['postgress', 'postgres', {}],
    ['mysq', 'mysql', {}],
    ['mongodb', 'mongo', {}],
    ['rabitmq', 'rabbitmq', {}],
    ['kafak', 'kafka', {}],
    ['mqt', 'mqtt', {}],
  ])('is told the right name of the driver %s', async (type, nearest, config) => {
    expect((await mistakes(type, config))[0]).toContain(`Did you mean "${nearest}"?`)
  })

  it.each([
    ['redis', { host: 'a', comand: ['PING'] }, 'command'],
    ['postgres', { host: 'a', user: 'b', qeury: 'x' }, 'query'],
    ['mysql', { host: 'a', usr: 'b' }, 'user'],
    ['mongo', { host: 'a', roll: 'primary' }, 'role'],
    ['rabbitmq', { url: 'amqp://a', queu: 'b' }, 'queue'],
    ['kafka', { broker: ['a'] }, 'brokers'],
    ['mqtt', { host: 'a', topik: 'b' }, 'topic'],
  ])('is told the right name of an option of %s', async (type, config, nearest) => {
    expect((await mistakes(type, config)).join()).toContain(`Did you mean "${nearest}"?`)
  })
})

const protocol: Protocol = {
  scheme: 'db',
  port: 1000,
  secureScheme: 'dbs',
  securePort: 2000,
  path: 'database',
}

describe('serverOf', () => {
  const noLogin = { user: null, password: null, path: null, tls: null, family: 'any' }

  it.each<[ServerConfig, object]>([
    [{ host: 'a' }, { ...noLogin, host: 'a', port: 1000 }],
    [
      { host: 'a', tls: {} },
      { ...noLogin, host: 'a', port: 2000, tls: {} },
    ],
    [{ url: 'db://a' }, { ...noLogin, host: 'a', port: 1000 }],
    [{ url: 'dbs://a/' }, { ...noLogin, host: 'a', port: 2000, tls: {} }],
    [{ url: 'db://[::1]:7/x%20y' }, { ...noLogin, host: '::1', port: 7, path: 'x y' }],
    [
      { url: 'db://w%40rd:p%3Ass@a', family: 'ipv6' },
      { ...noLogin, host: 'a', port: 1000, user: 'w@rd', password: 'p:ss', family: 'ipv6' },
    ],
    [
      { url: 'db://one:two@a', user: 'three', password: 'four' },
      { ...noLogin, host: 'a', port: 1000, user: 'three', password: 'four' },
    ],
    [{ url: 'db://%ff@a' }, { ...noLogin, host: 'a', port: 1000, user: '%ff' }],
  ])('reads %j', (config, server) => {
    expect(serverOf(config, protocol)).toEqual(server)
  })

  it('says what is wrong with a credential without repeating it', () => {
    const read = () => serverOf({ url: 'https://ward:hidden@db.test' }, protocol)
    expect(read).toThrow(
      'the credential of url must be a url that begins with db:// or dbs:// and names a host',
    )
  })
})

describe('serverTarget', () => {
  it.each<[ServerConfig, string]>([
    [{ host: 'a' }, 'db://a:1000'],
    [{ host: '::1', tls: {} }, 'dbs://[::1]:2000'],
    [{ url: 'db://ward:hidden@a/shop?' }, 'db://a:1000/shop'],
    [{ url: 'db://ward:hidden@a/sh%40p' }, 'db://a:1000/sh%40p'],
    [{ url: 'no url but hidden' }, 'db at a url that cannot be read'],
  ])('shows %j as %s', (config, target) => {
    expect(serverTarget(config, protocol)).toBe(target)
  })

  it('shows the database that is configured', () => {
    expect(serverTarget({ url: 'db://a/one' }, protocol, 'two')).toBe('db://a:1000/two')
  })
})
