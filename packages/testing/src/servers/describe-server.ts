// servers/describe-server.ts: tests against a real server, where it is installed. Where it is not, they are counted
// as skipped and a line says what to install; with PULSEWARD_REQUIRE_SERVERS set they fail instead, so that
// `npm run test:servers` cannot pass by skipping.
import { describe, it } from 'vitest'
import type { ServerKind } from './server-process.ts'

/** As describe, with the path of the server's program for the tests. */
export function describeServer(kind: ServerKind, tests: (program: string) => void): void {
  const program = kind.find()
  if (program !== null) {
    describe(kind.name, () => tests(program))
    return
  }
  const missing = `${kind.name} is not installed (apt-get install ${kind.debianPackages.join(' ')})`
  if (process.env['PULSEWARD_REQUIRE_SERVERS'] !== undefined) {
    it(`runs against ${kind.name}`, () => {
      throw new Error(missing)
    })
    return
  }
  process.stderr.write(`${missing}: its tests are skipped. npm run test:servers installs what is missing.\n`)
  describe.skip(`${kind.name}, which is not installed`, () => tests(''))
}
