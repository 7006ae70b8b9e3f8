import { expect, it } from 'vitest'
import { isSecretName } from './secret-names.ts'

it.each([
  ...[
    'password',
    'Passwd',
    'db_pass',
    'passphrase',
    'pass-phrase',
    'passcode',
    'pwd',
    'DB_PWD',
    'userPwd',
    'pw',
  ],
  ...['client_secret', 'clientSecret', 'SECRET-VALUE', 'token', 'accessToken', 'credential', 'creds'],
  ...[
    'auth',
    'basicAuth',
    'authorization',
    'Proxy-Authorization',
    'oauth_code',
    'bearer',
    'login',
    'auth_data',
  ],
  ...[
    'cookie',
    'Set-Cookie',
    'session',
    'session_id',
    'PHPSESSIONID',
    'hook',
    'webhook_url',
    'jwt',
    'signature',
    'sig',
  ],
  ...[
    'apikey',
    'api key',
    'X-API-Key',
    'private_key',
    'private key',
    'privateKeyPem',
    'ssh_key_path',
    'keys',
  ],
  ...[
    'dsn',
    'DB_DSN',
    'conn_str',
    'connectionString',
    'connection string',
    'connection-url',
    'jdbc',
    'pin',
    'otp',
  ],
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true)
})

it.each([
  'address',
  'host',
  'user',
  'author',
  'authority',
  'connection',
  'keyspace',
  'passive',
  'path',
  'pinned',
  'name',
])('%s is not', (name) => {
  expect(isSecretName(name)).toBe(false)
})
