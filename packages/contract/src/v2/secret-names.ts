// v2/secret-names.ts: which names of options are names of secrets, where nothing else tells. The service hides what is named
// so, and forms warn about it. Case and separators do not count: API-Key, api_key and apiKey are one name. In doubt a name
// is one of a secret: a value that is hidden costs a question, one that is shown cannot be taken back.

const anywhere = [
  'pass(word|wd|phrase|code)',
  'pwd',
  'secret',
  'token',
  'credential',
  'authori[sz]ation',
  'authentication',
  'oauth',
  'bearer',
  'cookie',
  'session',
  'hook',
  '(api|access|private|secret|ssh|signing|encryption)key',
  'dsn',
  'conn(ection)?(str|string|uri|url)',
  'jdbc',
  'jwt',
  'signature',
  'kubeconfig',
]
const atTheEnd = ['pass', 'auth', 'keys?', 'creds?', 'pem', 'otp', 'login']
const alone = ['pw', 'pin', 'sig', 'auth(data|info|value|header)']

const secretName = new RegExp(`${anywhere.join('|')}|(${atTheEnd.join('|')})$|^(${alone.join('|')})$`)

export function isSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
}
