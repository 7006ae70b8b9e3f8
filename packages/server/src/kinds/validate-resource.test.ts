import type { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import { identityOf } from '../config/fleet-file/identity.ts'
import { MonitorValidator } from '../config/fleet-file/monitor-validator.ts'
import type { Shape } from '../config/shape/shape.ts'
import { configWithReferences } from './driver-config.ts'
import type { ManagedKind, Sent } from './kind.ts'
import { monitorDocument } from './monitor-document.ts'
import type { Surroundings } from './surroundings.ts'
import { ResourceValidator } from './validate-resource.ts'

const validator = new ResourceValidator(driverShapes)

function judged(kind: ManagedKind, sent: Sent, surroundings: Surroundings, isNew = true) {
  return validator.errors(kind, sent, surroundings, isNew)
}

interface There {
  readonly monitors?: Readonly<Record<string, readonly string[]>>
  readonly endpoints?: readonly string[]
  readonly groups?: readonly string[]
  readonly credentials?: Readonly<Record<string, string>>
  readonly allowsLocalDrivers?: boolean
}

function around(there: There = {}): Surroundings {
  const { monitors = {}, endpoints = [], groups = [], credentials = {}, allowsLocalDrivers = false } = there
  const idsOf: Partial<Record<ManagedKind, readonly string[]>> = {
    Monitor: Object.keys(monitors),
    NotificationEndpoint: endpoints,
    NotificationGroup: groups,
    Credential: Object.keys(credentials),
  }
  return {
    drivers: driverShapes,
    allowsLocalDrivers,
    allowsJobTypes: false,
    jobType: () => null,
    has: (kind, id) => idsOf[kind]?.includes(id) ?? false,
    someIds: (kind) => idsOf[kind] ?? [],
    credentialValue: (id) => credentials[id] ?? null,
    monitorWithKey: () => null,
    pageAtHost: () => null,
    componentsOf: () => null,
    parentsOf: (id) => monitors[id] ?? [],
  }
}

const http: v2.Monitor['spec'] = {
  check: { driver: { type: 'http', config: { url: 'http://shop/' } }, interval: '60s', timeout: '10s' },
}

function monitor(spec: Partial<v2.Monitor['spec']> = {}, metadata: Partial<v2.Metadata> = {}) {
  return { metadata: { id: 'shop', ...metadata }, spec: { ...http, ...spec } }
}

function errorsOf(given: ReturnType<typeof monitor>, there: There = {}): string[] {
  return judged('Monitor', given, around(there)).map(({ field, reason }) => `${field} ${reason}`)
}

function withDriver(driver: v2.DriverConfig) {
  return monitor({ check: { ...http.check, driver } })
}

/** Every field of the options that takes text, as credentialRefs name it. */
function textFieldsOf(shape: Shape, path: readonly string[] = []): string[] {
  const own = shape.type === 'string' || shape.secret === true ? [path.join('.')] : []
  const inner = Object.entries(shape.properties ?? {}).flatMap(([key, member]) =>
    textFieldsOf(member, [...path, key]),
  )
  return [...own, ...inner, ...(shape.anyOf ?? []).flatMap((alternative) => textFieldsOf(alternative, path))]
}

const everyDriver = (['checks', 'recoveries', 'notifiers'] as const).flatMap((category) =>
  Object.keys(driverShapes[category]).map((type) => [category, type] as const),
)

/** Every secret of the options, and whether its value must be one line. Headers have the name *. */
function secretFieldsOf(shape: Shape, path: readonly string[] = []): { field: string; oneLine: boolean }[] {
  if (shape.secret === true && shape.properties?.['credential'] !== undefined)
    return [{ field: path.join('.'), oneLine: shape.oneLine === true }]
  const { properties = {}, patternProperties = {}, anyOf = [] } = shape
  return [
    ...Object.entries(properties).flatMap(([key, member]) => secretFieldsOf(member, [...path, key])),
    ...Object.values(patternProperties).flatMap((member) => secretFieldsOf(member, [...path, '*'])),
    ...anyOf.flatMap((alternative) => secretFieldsOf(alternative, path)),
  ]
}

function withTextAt([key = '', ...rest]: readonly string[], value: string): object {
  return { [key]: rest.length === 0 ? value : withTextAt(rest, value) }
}

describe('a monitor of v2', () => {
  it('is the entry that a fleet file would have for it', () => {
    const spec: v2.Monitor['spec'] = {
      enabled: false,
      check: {
        driver: {
          type: 'http',
          config: { url: 'http://shop/', auth: { basic: { username: 'me' } } },
          credentialRefs: { 'auth.basic.password': 'shop-password' },
        },
        interval: '30s',
        timeout: '5s',
        unhealthyThreshold: 2,
        healthyThreshold: 1,
        retries: 1,
      },
      recovery: { driver: { type: 'webhook', config: { url: 'http://fix/' } }, timeout: '9s', settle: '1m' },
      notifications: {
        red: { endpointRefs: ['mail'], groupRefs: ['ops'] },
        green: { dispatch: false, endpointRefs: ['mail'] },
      },
      maintenance: [{ cron: '0 3 * * 0', duration: '1h' }],
      tags: ['shop'],
      dependsOn: ['switch'],
      repeat: '10m',
    }
    expect(monitorDocument(monitor(spec, { name: 'Shop', labels: { team: 'a' } }), driverShapes)).toEqual({
      id: 'shop',
      name: 'Shop',
      enabled: false,
      tags: ['shop'],
      labels: { team: 'a' },
      depends_on: ['switch'],
      check: {
        type: 'http',
        interval: '30s',
        timeout: '5s',
        unhealthy_threshold: 2,
        healthy_threshold: 1,
        retries: 1,
        config: {
          url: 'http://shop/',
          auth: { basic: { username: 'me', password: { credential: 'v2/shop-password' } } },
        },
      },
      recovery: { type: 'webhook', timeout: '9s', settle: '1m', config: { url: 'http://fix/' } },
      notify: { red: { endpoints: ['mail'], groups: ['ops'] }, repeat: '10m' },
      maintenance: [{ cron: '0 3 * * 0', duration: '1h' }],
    })
  })

  it('is right when a fleet file would take it', () => {
    expect(errorsOf(monitor())).toEqual([])
  })

  it('is told all of its mistakes at once, each where it stands in the resource', () => {
    const wrong = monitor({
      check: {
        driver: { type: 'http', config: { url: 'nonsense', metod: 'GET' } },
        interval: '500ms',
        timeout: '2s',
      },
      recovery: { driver: { type: 'teleport', config: {} } },
      notifications: { red: { endpointRefs: ['mail', 'none'], groupRefs: ['nobody'] } },
      maintenance: [{ cron: '61 * * * *', duration: '1h' }],
      dependsOn: ['gone'],
    })
    expect(errorsOf(wrong, { endpoints: ['mail'] })).toEqual([
      '/spec/check/driver/config/url malformed',
      '/spec/check/driver/config/metod unknownField',
      '/spec/check/interval rule',
      '/spec/maintenance/0/cron rule',
      '/spec/recovery/driver/type notAllowed',
      '/spec/notifications/red/endpointRefs/1 notFound',
      '/spec/notifications/red/groupRefs/0 notFound',
      '/spec/dependsOn/0 notFound',
    ])
  })

  it('is told them in the words that a fleet file is told', () => {
    const wrong = monitor({
      check: { ...http.check, interval: '500ms', timeout: '5' },
      maintenance: [{ cron: '61 * * * *', duration: '1h', timezone: 'Berlin' }],
    })
    const inFile = new MonitorValidator(driverShapes).mistakes(monitorDocument(wrong, driverShapes)) ?? []
    const inV2 = judged('Monitor', wrong, around()).map(({ message }) => message)
    const words = inFile.map(({ message }) => message.replace(/\.$/, ''))
    expect(inV2.toSorted()).toEqual(words.toSorted())
    expect(words).toContain('"500ms" is too short; write 1s or more')
  })

  it('may have an id that is made from its name, and no other of that form', () => {
    const id = identityOf({ name: 'Shop' })
    expect(errorsOf(monitor({}, { id, name: 'Shop' }))).toEqual([])
    expect(errorsOf(monitor({}, { id, name: 'Another' }))).toEqual(['/metadata/id rule'])
    expect(errorsOf(monitor({}, { id }))).toEqual(['/metadata/id rule'])
  })

  it('cannot depend on itself, however long the way is', () => {
    expect(errorsOf(monitor({ dependsOn: ['shop'] }))).toEqual(['/spec/dependsOn cycle'])
    const chain: Record<string, string[]> = { m99999: ['shop'] }
    for (let number = 0; number < 99_999; number++) chain[`m${number}`] = [`m${number + 1}`]
    const [error] = judged('Monitor', monitor({ dependsOn: ['m0'] }), around({ monitors: chain }))
    expect(error?.message).toMatch(
      /^depends on itself: "shop" → "m0" → "m1" → .* → 99993 more → "shop"; remove one of these dependencies$/,
    )
    expect(errorsOf(monitor({ dependsOn: ['m0'] }), { monitors: { m0: ['m1'], m1: [] } })).toEqual([])
  })
})

describe('options of a driver', () => {
  const secretive: v2.DriverConfig = {
    type: 'http',
    config: { url: 'http://shop/', auth: { basic: { username: 'me' } } },
    credentialRefs: { 'auth.basic.password': 'word' },
  }

  it('take secrets from credentials, and only from those', () => {
    expect(errorsOf(withDriver(secretive), { credentials: { word: 'hunter2' } })).toEqual([])
    expect(errorsOf(withDriver(secretive))).toEqual([
      '/spec/check/driver/credentialRefs/auth.basic.password notFound',
    ])
    const plain = {
      type: 'http',
      config: { url: 'http://shop/', auth: { basic: { username: 'me', password: 'x' } } },
    }
    const errors = judged('Monitor', withDriver(plain), around())
    expect(errors).toMatchObject([{ field: '/spec/check/driver/config/auth/basic/password' }])
    expect(errors[0]!.message).toMatch(/credentialRefs/)
    expect(JSON.stringify(errors)).not.toContain('"x"')
  })

  it('refuse the form of fleet files', () => {
    const config = {
      url: 'http://shop/',
      auth: { basic: { username: 'me', password: { credential: 'word' } } },
    }
    expect(errorsOf(withDriver({ type: 'http', config }), { credentials: { word: 'hunter2' } })).toEqual([
      '/spec/check/driver/config/auth/basic/password rule',
    ])
  })

  it('take any text from a credential, and are judged with its value', () => {
    const driver = { type: 'http', config: {}, credentialRefs: { url: 'place' } }
    expect(errorsOf(withDriver(driver), { credentials: { place: 'http://shop/' } })).toEqual([])
    expect(errorsOf(withDriver(driver), { credentials: { place: 'nonsense' } })).toEqual([
      '/spec/check/driver/credentialRefs/url rule',
    ])
    expect(configWithReferences(driver)).toEqual({ url: { credential: 'v2/place' } })
  })

  it('have no line break in a header, neither openly nor by a credential', () => {
    const open = { url: 'http://shop/', headers: { 'x-key': 'hunter2\n' } }
    expect(errorsOf(withDriver({ type: 'http', config: open }))).toEqual([
      '/spec/check/driver/config/headers/x-key malformed',
    ])
    const fields = ['headers.x-key', 'auth.bearer', 'auth.basic.password']
    for (const field of fields) {
      const config =
        field === 'auth.basic.password'
          ? { url: 'http://shop/', auth: { basic: { username: 'me' } } }
          : { url: 'http://shop/' }
      const driver = { type: 'http', config, credentialRefs: { [field]: 'word' } }
      expect(errorsOf(withDriver(driver), { credentials: { word: 'hunter2' } })).toEqual([])
      for (const value of ['hunter2\n', 'hun\r\nter2', 'hunter2\0', '\u007fhunter2'])
        expect(errorsOf(withDriver(driver), { credentials: { word: value } })).toEqual([
          `/spec/check/driver/credentialRefs/${field} rule`,
        ])
    }
    const recovery = {
      type: 'webhook',
      config: { url: 'http://fix/' },
      credentialRefs: { 'headers.k': 'word' },
    }
    expect(errorsOf(monitor({ recovery: { driver: recovery } }), { credentials: { word: 'a\n' } })).toEqual([
      '/spec/recovery/driver/credentialRefs/headers.k rule',
    ])
    const spec = { type: 'opsgenie', config: {}, credentialRefs: { api_key: 'word' } }
    expect(
      judged(
        'NotificationEndpoint',
        { metadata: { id: 'e' }, spec },
        around({ credentials: { word: 'a\n' } }),
      ),
    ).toEqual([
      {
        field: '/spec/credentialRefs/api_key',
        reason: 'rule',
        message:
          'names a credential whose value does not fit; expected: text without line breaks and other control characters',
      },
    ])
  })

  it('take several lines from a credential only where that has a meaning', () => {
    const severalLines = everyDriver.flatMap(([category, type]) =>
      secretFieldsOf(driverShapes[category][type]?.config as Shape)
        .filter(({ oneLine }) => !oneLine)
        .map(({ field }) => field.split('.').at(-1) ?? ''),
    )
    const texts = ['body', 'send', 'topic', 'private_key', 'ca', 'certificate', 'key', 'kubeconfig_content']
    const urls = ['url', 'proxy', 'hook', 'webhook_url', 'engine']
    expect([...new Set(severalLines)].filter((field) => ![...texts, ...urls].includes(field))).toEqual([])
  })

  it.each(everyDriver)(
    'of %s: %s repeat neither the value of a credential nor what was sent',
    (category, type) => {
      const value = 'hunter2 \n(hunter2'
      const there = around({ credentials: { word: value }, allowsLocalDrivers: true })
      const judge = (driver: v2.DriverConfig) => {
        if (category === 'checks') return judged('Monitor', withDriver(driver), there)
        if (category === 'recoveries') return judged('Monitor', monitor({ recovery: { driver } }), there)
        return judged('NotificationEndpoint', { metadata: { id: 'e' }, spec: driver }, there)
      }
      const shape = driverShapes[category][type]?.config as Shape
      const drivers = textFieldsOf(shape).flatMap((field): v2.DriverConfig[] => [
        { type, config: {}, credentialRefs: { [field]: 'word' } },
        { type, config: withTextAt(field.split('.'), value) },
        { type, config: { [value]: value }, credentialRefs: { [value]: value } },
      ])
      for (const { message } of drivers.flatMap(judge)) {
        expect(message).not.toContain('hunter2')
        // The rest of a sentence: "/spec/…: must be …".
        expect(message).toMatch(/^(?:must|is|has|does|needs|names|holds|may|cannot|there is no) .*[^.]$/s)
      }
    },
  )

  it('are not what a reader was shown in place of a secret', () => {
    const config = { url: 'https://[REDACTED]@shop/?key=%5BREDACTED%5D', headers: { 'X-Key': '[REDACTED]' } }
    expect(errorsOf(withDriver({ type: 'http', config }))).toEqual(
      expect.arrayContaining([
        '/spec/check/driver/config/url notAllowed',
        '/spec/check/driver/config/headers/X-Key notAllowed',
      ]),
    )
  })

  it.each([
    ['of a field that is not there', { 'auth.colour': 'word' }],
    ['of a field that takes no text', { follow_redirects: 'word' }],
    ['of a field that has a value', { url: 'word' }],
  ])('refuse a reference %s', (_, credentialRefs) => {
    const driver = { type: 'http', config: { url: 'http://shop/' }, credentialRefs }
    const errors = errorsOf(withDriver(driver), { credentials: { word: 'hunter2' } })
    expect(errors).toContain(`/spec/check/driver/credentialRefs/${Object.keys(credentialRefs)[0]} rule`)
  })

  it.each([
    ['command', { argv: ['/bin/true'] }],
    ['systemd', { unit: 'nginx.service' }],
    ['docker', { container: 'web' }],
    ['kubernetes', { namespace: 'shop', name: 'checkout' }],
    ['kubernetes', { namespace: 'shop', name: 'checkout', kubeconfig: '/etc/kubernetes/admin.conf' }],
  ])('of a driver that acts on this machine (%s) are refused unless that is allowed', (type, config) => {
    const given = monitor({ recovery: { driver: { type, config } } })
    expect(errorsOf(given)).toEqual(['/spec/recovery/driver/type notAllowed'])
    expect(errorsOf(given, { allowsLocalDrivers: true })).toEqual([])
  })

  it('of a kubernetes cluster take the kubeconfig from a credential', () => {
    const config = { namespace: 'shop', name: 'checkout' }
    const driver = { type: 'kubernetes', config, credentialRefs: { kubeconfig_content: 'cluster' } }
    const credentials = { cluster: 'apiVersion: v1\nkind: Config\n', path: '/etc/kubernetes/admin.conf' }
    expect(errorsOf(monitor({ recovery: { driver } }), { credentials })).toEqual([])
    const byPath = { ...driver, credentialRefs: { kubeconfig: 'path' } }
    expect(errorsOf(monitor({ recovery: { driver: byPath } }), { credentials })).toEqual([
      '/spec/recovery/driver/type notAllowed',
    ])
  })

  it('of a docker engine elsewhere are like any other', () => {
    const config = { container: 'web', engine: 'tcp://engine:2376' }
    expect(errorsOf(monitor({ recovery: { driver: { type: 'docker', config } } }))).toEqual([])
    expect(errorsOf(withDriver({ type: 'docker', config: { container: 'web' } }))).toEqual([
      '/spec/check/driver/type notAllowed',
    ])
  })
})

describe('other resources', () => {
  it('name what is there', () => {
    const group = { metadata: { id: 'ops' }, spec: { endpointRefs: ['mail', 'none'] } }
    expect(judged('NotificationGroup', group, around({ endpoints: ['mail'] }))).toMatchObject([
      { field: '/spec/endpointRefs/1', reason: 'notFound', message: 'there is no endpoint "none"' },
    ])
  })

  it('are told what they were probably meant to name', () => {
    const group = { metadata: { id: 'ops' }, spec: { endpointRefs: ['mial'] } }
    const message = (there: There) => judged('NotificationGroup', group, around(there))[0]?.message
    expect(message({ endpoints: ['chat', 'mail'] })).toBe('there is no endpoint "mial". Did you mean "mail"?')
    expect(message({})).toBe('there is no endpoint "mial". No endpoints are defined')
  })

  it('are told the mistakes of their options', () => {
    const endpoint = {
      metadata: { id: 'hook' },
      spec: { type: 'webhook', config: { url: 'http://a/', x: 1 } },
    }
    expect(judged('NotificationEndpoint', endpoint, around())).toMatchObject([{ field: '/spec/config/x' }])
    const slack = {
      metadata: { id: 'slack' },
      spec: { type: 'slack', config: {}, credentialRefs: { hook: 'h' } },
    }
    const credentials = { h: 'https://hooks.slack.com/services/T/B/X' }
    expect(judged('NotificationEndpoint', slack, around({ credentials }))).toEqual([])
  })

  it('need a value to be a credential, and no placeholder', () => {
    const credential = (value?: string) => ({
      metadata: { id: 'word' },
      spec: value === undefined ? {} : { value },
    })
    expect(judged('Credential', credential(), around(), true)).toMatchObject([
      { field: '/spec/value', reason: 'required' },
    ])
    expect(judged('Credential', credential(), around(), false)).toEqual([])
    for (const shown of ['[REDACTED]', 'redacted', 'https://[REDACTED]@a/', '***', '<hidden>'])
      expect(judged('Credential', credential(shown), around(), false)).toMatchObject([
        { field: '/spec/value' },
      ])
    expect(judged('Credential', credential('hunter2'), around(), true)).toEqual([])
  })
})
