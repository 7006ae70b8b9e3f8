// checks/ssh/config.ts: what a fleet file may say about an ssh check, and which parts of it need more than the greeting.
import {
  closed,
  Host,
  type Infer,
  OneLineSecret,
  OpenOrSecretLine,
  Port,
  Secret,
} from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { IpFamily, MaxLatency } from '../driver/server-config.ts'

export const DEFAULT_PORT = 22

const fields = closed({
  host: Host,
  port: Type.Optional(Type.Unsafe<number>({ ...Port, default: DEFAULT_PORT, description: 'The port.' })),
  banner: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Text that must occur in the identification of the server, such as OpenSSH.',
    }),
  ),
  fingerprint: Type.Optional(
    Type.String({
      pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
      description: 'The fingerprint of the host key, as ssh-keygen -lf shows it; by default any is taken.',
    }),
  ),
  username: Type.Optional(
    Type.Unsafe<string>({ ...OpenOrSecretLine, description: 'The user to log in as; no login by default.' }),
  ),
  password: Type.Optional(
    Type.Unsafe<string>({ ...OneLineSecret, description: 'The password of the user.' }),
  ),
  private_key: Type.Optional(
    Type.Unsafe<string>({ ...Secret, description: 'A private key of the user, as ssh-keygen writes it.' }),
  ),
  passphrase: Type.Optional(
    Type.Unsafe<string>({ ...OneLineSecret, description: 'The passphrase of the private key, if any.' }),
  ),
  command: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'A command to run after the login; it must end with exit code 0.',
    }),
  ),
  expect: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'Text that must occur in the first 64 KiB that the command writes.',
    }),
  ),
  family: Type.Optional(IpFamily),
  max_latency: Type.Optional(MaxLatency),
})

export type SshConfig = Infer<typeof fields>

export const sshConfig = Type.Refine(
  fields,
  (config) => mistake(config) === null,
  (config) => mistake(config) ?? '',
)

/** Whether keys must be exchanged, which needs the library. */
export function needsKeyExchange({ fingerprint, username }: SshConfig): boolean {
  return fingerprint !== undefined || username !== undefined
}

function mistake(config: SshConfig): string | null {
  const { username, password, private_key: key, passphrase, command, expect } = config
  const hasProof = password !== undefined || key !== undefined
  if ((username !== undefined) !== hasProof)
    return 'needs username with password or private_key, or none of them'
  if (passphrase !== undefined && key === undefined) return 'has a passphrase without a private_key'
  if (command !== undefined && username === undefined) return 'needs a login for the command'
  return expect !== undefined && command === undefined ? 'needs a command for expect' : null
}
