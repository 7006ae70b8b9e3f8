// checks/redis/stand-in.fixture.ts: a stand-in for Redis that knows a handful of commands. Like the real one,
// it echoes commands that it does not know.
import type { Serve, ServedConnection } from '@pulseward/testing/targets'

export interface RedisStandIn {
  readonly password?: string
  /** Answers of further commands, by their name, as they go over the wire. */
  readonly replies?: Readonly<Record<string, string>>
}

export function redisStandIn({ password, replies = {} }: RedisStandIn = {}): Serve {
  return async (connection) => {
    let isLoggedIn = password === undefined
    for (;;) {
      const [name = '', ...words] = await readCommand(connection)
      if (name === 'AUTH') {
        isLoggedIn = words.at(-1) === password
        connection.write(isLoggedIn ? '+OK\r\n' : `-WRONGPASS invalid pair: ${words.join(' ')}\r\n`)
      } else if (!isLoggedIn) connection.write('-NOAUTH Authentication required.\r\n')
      else if (name === 'PING') connection.write('+PONG\r\n')
      else connection.write(replies[name] ?? `-ERR unknown command: ${[name, ...words].join(' ')}\r\n`)
    }
  }
}

async function readCommand(connection: ServedConnection): Promise<string[]> {
  const words: string[] = []
  const count = Number((await connection.readTo('\r\n')).slice(1))
  for (let index = 0; index < count; index++) {
    const length = Number((await connection.readTo('\r\n')).slice(1))
    words.push((await connection.read(length + 2)).toString('utf8', 0, length))
  }
  return words
}
