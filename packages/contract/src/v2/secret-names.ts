// v2/secret-names.ts: decides by its name whether an option is a secret, if nothing else tells. The service
// hides the values of such options, and forms warn about them. Case and separators are ignored: API-Key,
// api_key and apiKey are one name. When in doubt, the option is a secret: hiding too much costs a question,
// but a value that was shown cannot be taken back.

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
