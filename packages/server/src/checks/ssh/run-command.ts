// checks/ssh/run-command.ts: one command of a user who is logged in: its exit code, and whether it writes what it
// should. What it writes is searched, bounded and never quoted.
import type { Client } from 'ssh2'
import { quote } from '../../platform/wording.ts'
import { PeerFault } from '../driver/session.ts'

const MOST_OUTPUT_BYTES = 64 * 1024

export function runCommand(
  client: Client,
  command: string,
  expected: string | undefined,
  peer: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (words: string): void => reject(new PeerFault(words))
    client.exec(command, (error, channel) => {
      if (error !== undefined) return fail(`${peer} does not run the command`)
      const pieces: Buffer[] = []
      let bytes = 0
      let exit: number | null = null
      channel.on('data', (piece: Buffer) => {
        if (bytes < MOST_OUTPUT_BYTES) pieces.push(piece)
        bytes += piece.length
      })
      // A channel whose errors nobody reads stands still.
      channel.stderr.resume()
      channel.on('exit', (code: number | null) => {
        exit = code
      })
      channel.on('close', () => {
        if (exit === null) return fail('the command was killed')
        if (exit !== 0) return fail(`the command ended with exit code ${exit}`)
        const isThere = expected === undefined || Buffer.concat(pieces).includes(expected)
        if (isThere) resolve()
        else fail(`the command did not write ${quote(expected)}`)
      })
    })
  })
}
