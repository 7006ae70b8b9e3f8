// simulation/writes/key-file.ts: the key file of credentials, which survives every process. While people have
// removed it nothing new is sealed; sealed values can still be opened.
import type { ManagingVault } from '@pulseward/server/internal/managing/managing.ts'
import { open, seal } from '@pulseward/server/internal/vault/envelope.ts'
import { KeyRing } from '@pulseward/server/internal/vault/key-ring.ts'
import { VaultUnavailable } from '@pulseward/server/internal/vault/vault.ts'
import { Random } from '../../random.ts'
import type { Agenda } from '../agenda.ts'

const minuteMs = 60_000

export interface KeyTroubleOptions {
  readonly seed: number
  /** Multiplies how often it is removed. */
  readonly storm: number
  readonly agenda: Agenda
  readonly nowMs: () => number
  readonly calmFromMs: number
  readonly fault: (kind: string) => void
}

export class KeyFile {
  readonly #ring = KeyRing.generate()
  #isThere = true
  readonly vault: ManagingVault

  constructor() {
    const require = () => {
      if (!this.#isThere) throw new VaultUnavailable('The key file is missing.')
    }
    const trouble = () => (this.#isThere ? null : 'missing')
    this.vault = {
      prepare: async () => require(),
      seal: (id, version, value) => {
        require()
        return seal(this.#ring, id, version, value)
      },
      open: (id, version, sealed) => open(this.#ring, id, version, sealed),
      problem: null,
      get trouble() {
        return trouble()
      },
      noteKeysInUse() {},
      [Symbol.asyncDispose]: async () => {},
    }
  }

  get isThere(): boolean {
    return this.#isThere
  }

  /** Until the calm phase begins, people sometimes remove the file and put it back minutes later. */
  planTrouble(options: KeyTroubleOptions): void {
    const random = new Random(options.seed + 0x0c1e)
    const { storm, agenda, nowMs, calmFromMs, fault } = options
    const plan = () => {
      const atMs = nowMs() + (random.between(0.2, 1.8) * 40 * minuteMs) / storm
      if (atMs >= calmFromMs) return
      const untilMs = Math.min(atMs + random.spread(10_000, 5 * minuteMs), calmFromMs)
      agenda.at(atMs, () => {
        fault('key file taken away')
        this.#isThere = false
      })
      agenda.at(untilMs, () => {
        this.#isThere = true
        plan()
      })
    }
    plan()
  }
}
