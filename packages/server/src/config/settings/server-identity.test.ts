import { temporaryFolder } from '@pulseward/testing'
import { certificates } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../platform/usage-error.ts'
import { readServerIdentity } from './server-identity.ts'

const { certificate, key } = certificates.good

describe('certificate and key of the listener', () => {
  it('are read from their files', () => {
    using folder = temporaryFolder({ 'a.pem': certificate, 'a.key': key })
    expect(readServerIdentity(folder.path('a.pem'), folder.path('a.key'))).toEqual({ certificate, key })
  })

  it('are none when neither is given', () => expect(readServerIdentity(null, null)).toBeNull())

  const mistakes: Record<string, [certificateFile: string | null, keyFile: string | null, sentence: RegExp]> =
    {
      'a key alone': [null, 'a.key', /^tls\.key_file needs tls\.certificate_file beside it\.$/],
      'a certificate alone': ['a.pem', null, /^tls\.certificate_file needs tls\.key_file beside it\.$/],
      'no such file': ['none', 'a.key', /^tls\.certificate_file: the file \S+none does not exist\.$/],
      'no such key': ['a.pem', 'none', /^tls\.key_file: the file \S+none does not exist\.$/],
      'a folder': ['.', 'a.key', /^tls\.certificate_file: the file \S+ cannot be read \(EISDIR\)\.$/],
      'the key for the certificate': [
        'a.key',
        'a.key',
        /^tls\.certificate_file: the file \S+ contains no PEM certificate\.$/,
      ],
      'the certificate for the key': [
        'a.pem',
        'a.pem',
        /^tls\.key_file: the file \S+ contains no PEM private key\.$/,
      ],
      'a broken certificate': [
        'broken.pem',
        'a.key',
        /^The certificate \S+broken\.pem cannot be used \(ERR_\w+\)\.$/,
      ],
      'a broken key': [
        'a.pem',
        'broken.key',
        /^The key \S+broken\.key does not fit the certificate \S+ \(ERR_\w+\)\.$/,
      ],
      'the key of another': [
        'a.pem',
        'other.key',
        /^The key \S+other\.key does not fit the certificate \S+ \(ERR_\w+\)\.$/,
      ],
    }
  for (const [title, [certificateFile, keyFile, sentence]] of Object.entries(mistakes)) {
    it(`stop the start with one sentence that shows nothing of them: ${title}`, () => {
      using folder = temporaryFolder({
        'a.pem': certificate,
        'a.key': key,
        'other.key': certificates.other.key,
        'broken.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
        'broken.key': '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
      })
      const path = (name: string | null) => (name === null ? null : folder.path(name))
      const read = () => readServerIdentity(path(certificateFile), path(keyFile))
      expect(read).toThrow(UsageError)
      expect(read).toThrow(sentence)
    })
  }
})
