// scripts/docs/examples/example-world.ts: a folder in which the commands of one page run as written.
// `npx pulseward`, `pulseward` and `npm start` run the program of this checkout; a command that serves is
// ready when the next one starts, on a free port instead of 8060. Everything ends with the scope.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { commandStart } from '@pulseward/testing/process'
import type { CodeBlock } from './code-blocks.ts'

const root = join(import.meta.dirname, '../../..')
const documentedAddress = '127.0.0.1:8060'

export class ExampleWorld implements AsyncDisposable {
  readonly folder: TemporaryFolder
  readonly #address: string
  readonly #environment: NodeJS.ProcessEnv

  private constructor(port: number, variables: NodeJS.ProcessEnv) {
    this.#address = `127.0.0.1:${port}`
    const example = (name: string) => this.#here(readFileSync(join(root, 'examples', name), 'utf8'))
    this.folder = temporaryFolder({
      'work/examples/starter.yaml': example('starter.yaml'),
      'work/examples/monitor.yaml': example('monitor.yaml'),
      'work/fleet/edge.yaml': edgeFleet,
      'work/fleet.yaml': example('starter.yaml'),
      ...programs,
    })
    for (const path of Object.keys(programs)) chmodSync(this.folder.path(path), 0o755)
    this.#environment = {
      PATH: `${this.folder.path('programs')}:${process.env['PATH']}`,
      HOME: this.folder.path('home'),
      NODE: process.execPath,
      NODE_FLAGS: commandStart.flags.join(' '),
      PROGRAM: commandStart.program,
      ...commandStart.environment,
      SERVICE: this.folder.path('service'),
      PULSEWARD_LISTEN: this.#address,
      PULSEWARD_SERVER: `http://${this.#address}`,
      ...variables,
    }
  }

  static async start(variables: NodeJS.ProcessEnv): Promise<ExampleWorld> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return new ExampleWorld(port, variables)
  }

  write(name: string, content: string): void {
    this.folder.write(join('work', name), this.#here(content))
  }

  /** Runs all commands of a block in one shell, which stops at the first failure. */
  async run(block: CodeBlock): Promise<{ readonly code: number | null; readonly output: string }> {
    const before = block.stopsService ? 'stop-service\n' : ''
    return this.#shell(`set -eo pipefail\n${before}${this.#here(block.text)}`)
  }

  async #shell(script: string) {
    const shell = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
      cwd: this.folder.path('work'),
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [output, [code]] = await Promise.all([text(shell.stdout), once(shell, 'close')])
    return { code: code as number | null, output }
  }

  #here(content: string): string {
    return content.replaceAll(documentedAddress, this.#address)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shell('stop-service')
    this.folder[Symbol.dispose]()
  }
}

const edgeFleet = `version: 1
monitors:
  - { id: edge, name: Edge, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } }
`

/** Replacements for the programs that the documents call. */
const programs = {
  'programs/pulseward': `#!/bin/bash
if [ "$1" = serve ]; then shift; exec serve "$@"; fi
exec "$NODE" $NODE_FLAGS "$PROGRAM" "$@"
`,
  'programs/npx': `#!/bin/bash
[ "$1" = pulseward ] || { echo "npx $* is not run by this test"; exit 64; }
shift
exec pulseward "$@"
`,
  'programs/npm': `#!/bin/bash
[ "$1" = start ] || { echo "npm $* is not run by this test"; exit 64; }
shift
[ "$1" = -- ] && shift
exec serve --config examples/starter.yaml "$@"
`,
  'programs/serve': `#!/bin/bash
stop-service
# Left by the previous service: it would say that this one has started.
rm -f "$SERVICE.log"
"$NODE" $NODE_FLAGS "$PROGRAM" serve "$@" > "$SERVICE.log" 2>&1 < /dev/null &
echo $! > "$SERVICE.pid"
until grep -qsE '^Stop |"the service started"' "$SERVICE.log"; do
  if [ $SECONDS -gt 120 ] || ! kill -0 "$(cat "$SERVICE.pid")" 2> /dev/null; then
    cat "$SERVICE.log"
    exit 1
  fi
  sleep 0.1
done
`,
  'programs/stop-service': `#!/bin/bash
[ -f "$SERVICE.pid" ] || exit 0
pid=$(cat "$SERVICE.pid")
rm "$SERVICE.pid"
kill "$pid" 2> /dev/null
while kill -0 "$pid" 2> /dev/null && [ $SECONDS -lt 30 ]; do sleep 0.1; done
kill -9 "$pid" 2> /dev/null
exit 0
`,
}
