// simulation/controls/note-sender.ts: people who add notes to incidents, open or closed, at random from the seed. Some of
// what they write looks like markup.
import type { Random } from '../../random.ts'
import type { Oracle } from '../oracle/oracle.ts'
import { type AskedProcess, send } from './control-sender.ts'

export interface NoteSenderOptions {
  readonly random: Random
  readonly oracle: Oracle
  readonly process: () => AskedProcess | null
  readonly nextOperation: () => number
}

const principals = ['ann', 'ben', 'cem']
const texts = ['the pool was full', '# not a heading', '<b>not bold</b>\n- not a list']

export class NoteSender {
  readonly #options: NoteSenderOptions

  constructor(options: NoteSenderOptions) {
    this.#options = options
  }

  act(): void {
    const { random, oracle, process, nextOperation } = this.#options
    const { incidentsOnDisk } = oracle
    if (incidentsOnDisk.length === 0) return
    const { id, monitorId } = random.pick(incidentsOnDisk)
    const operation = nextOperation()
    const reason = `${random.pick(texts)} ${operation}`
    const note = { operation, principal: random.pick(principals), reason, revision: 0 }
    send(process(), oracle, { ...note, verb: 'note', monitorId, incidentId: id })
  }

  settle(): void {}
}
