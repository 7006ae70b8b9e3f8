import { execFileSync } from 'node:child_process'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CannotAccess } from './cluster-access.ts'
import { parseKubeconfig, readKubeconfig } from './kubeconfig.ts'
import { kubeconfigOf } from './peers.ts'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const read = (content: string, context: string | null = null) =>
  readKubeconfig(folder.write('config', content), context)

const server = 'https://k8s.test:6443'

it('takes server, authority, name and token from YAML', async () => {
  folder.write('token', 'fresh\n')
  const yaml = `
apiVersion: v1
kind: Config
current-context: other
contexts:
- { name: other, context: { cluster: none, user: none } }
- name: shop
  context: { cluster: shop, user: bot, namespace: ignored }
clusters:
- name: shop
  cluster: { server: "${server}/", tls-server-name: api.shop.test, certificate-authority-data: Y2E= }
users:
- name: bot
  user: { tokenFile: token }
`
  expect(await read(yaml, 'shop')).toEqual({
    server,
    token: 'fresh',
    tls: { ca: 'ca', certificate: undefined, key: undefined, serverName: 'api.shop.test' },
  })
})

it.each<[string, object, object, RegExp]>([
  ['a program', {}, { exec: { command: 'aws' } }, /uses exec: plugins that run a program are not supported/],
  ['a plugin', {}, { 'auth-provider': { name: 'gcp' } }, /uses auth-provider: plugins are not supported/],
  ['a password', {}, { username: 'a', password: 'SECRET' }, /uses username: passwords are not supported/],
  ['impersonation', {}, { token: 'SECRET', as: 'admin' }, /uses as: impersonation is not supported/],
  ['no verification', { 'insecure-skip-tls-verify': true }, {}, /the server would not be verified/],
  ['a proxy', { 'proxy-url': 'http://p.test' }, {}, /uses proxy-url: proxies are not supported/],
  ['a token in the clear', { server: 'http://k8s.test' }, { token: 'SECRET' }, /over plain http/],
  ['another scheme', { server: 'ftp://k8s.test' }, {}, /is not an http or https URL$/],
  ['no server', { server: '' }, {}, /is not an http or https URL$/],
  [
    'a missing file',
    { 'certificate-authority': 'none.pem' },
    {},
    /none\.pem cannot be used: it must be a regular file/,
  ],
  ['a folder for a file', {}, { tokenFile: '.' }, /cannot be used: it must be a regular file/],
])('refuses %s', async (_, cluster, user, reason) => {
  const refused = await read(kubeconfigOf({ server, ...cluster }, user))
  expect(refused).toMatchObject({ reason: expect.stringMatching(reason) })
  expect(JSON.stringify(refused)).not.toContain('SECRET')
})

it.each([
  ['is not YAML', 'token: "SECRET\n  - [', /config is not a kubeconfig$/],
  ['is a list', '- SECRET', /config is not a kubeconfig$/],
  ['is empty', '', /config is not a kubeconfig$/],
  ['has no context', '{"kind":"Config"}', /has no current context; name one$/],
  [
    'has another context',
    kubeconfigOf({ server }).replace('"current-context":"shop"', '"current-context":"a"'),
    /has no context "a"$/,
  ],
  [
    'is huge',
    `# ${'x'.repeat(1024 * 1024)}`,
    /config cannot be used: it must be a regular file of at most 1 MiB/,
  ],
])('refuses a file that %s, without quoting it', async (_, content, reason) => {
  const refused = await read(content)
  expect(refused).toMatchObject({ reason: expect.stringMatching(reason) })
  expect(JSON.stringify(refused)).not.toContain('SECRET')
})

it('says the same of a file that is missing, that is a folder and that waits for a writer', async () => {
  execFileSync('mkfifo', [folder.path('fifo')])
  folder.write('inner/file', '')
  const reasonOf = async (name: string) => {
    const refused = await readKubeconfig(folder.path(name), null)
    return (refused as { reason: string }).reason.replace(folder.path(name), 'PATH')
  }
  const reasons = [await reasonOf('none'), await reasonOf('inner'), await reasonOf('fifo')]
  expect(new Set(reasons).size).toBe(1)
})

describe('a kubeconfig that comes from a credential', () => {
  const parse = (cluster: object, user: object) =>
    parseKubeconfig(kubeconfigOf({ server, ...cluster }, user), null)

  it('brings its token and its certificates', async () => {
    const data = { 'certificate-authority-data': 'Y2E=' }
    expect(await parse(data, { token: 'fresh' })).toMatchObject({ server, token: 'fresh', tls: { ca: 'ca' } })
  })

  it.each([
    ['tokenFile', {}, { tokenFile: '/etc/hostname' }],
    ['certificate-authority', { 'certificate-authority': '/etc/hostname' }, {}],
    ['client-certificate', {}, { 'client-certificate': '/etc/hostname' }],
    ['client-key', {}, { 'client-key': '/etc/hostname' }],
  ])('opens no file that it names in %s', async (field, cluster, user) => {
    expect(await parse(cluster, user)).toEqual(
      new CannotAccess(
        `the kubeconfig names a file in ${field}; a kubeconfig from a credential must contain everything itself`,
      ),
    )
  })
})
