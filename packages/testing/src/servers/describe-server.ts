// servers/describe-server.ts: tests against a real server. `npm test` always skips them, so that it does the same on every
// machine; `npm run test:servers` installs the servers and sets PULSEWARD_REQUIRE_SERVERS, and then a missing server is a
// failure, unless nobody installs it.
import { describe, it } from 'vitest'
import { describeUnless } from '../describe-unless.ts'
import type { ServerKind } from './server-process.ts'

const serversAreRequired = process.env['PULSEWARD_REQUIRE_SERVERS'] !== undefined

/** Like `describe`; the tests get the path of the server's program. */
export function describeServer(kind: ServerKind, tests: (program: string) => void): void {
  if (!serversAreRequired) {
    describeUnless('they need real servers: npm run test:servers', kind.name, () => tests(''))
    return
  }
  const program = kind.find()
  if (program !== null) {
    describe(kind.name, () => tests(program))
    return
  }
  if (kind.isOptional === true) {
    describeUnless(`they need ${kind.name}, which is not installed`, kind.name, () => tests(''))
    return
  }
  it(`runs against ${kind.name}`, () => {
    throw new Error(`${kind.name} is not installed (apt-get install ${kind.debianPackages.join(' ')})`)
  })
}
