// vault/vault.ts: what the service seals and opens credential values with while it runs. It follows the key file:
//
//   unused     no key file and no sealed value: the first `prepare` makes the file
//   in force   a ring was read; a changed file replaces it, and every value is rewrapped by the new current key
//   in doubt   the file is missing or unusable: the last ring, if any, still opens, but nothing new is sealed, since a
//              restart might not open it
//
// Keys that a new file no longer holds are kept in memory until nothing is wrapped by them: no order of the steps of a
// rotation loses a value that the running service could open.
import { open, rewrap, type SecretText, seal, Unreadable } from './envelope.ts'
import { openKeyRing, refuseWrongRing } from './key-file.ts'
import type { KeyRing } from './key-ring.ts'
import { KeyRingError, type KeyRingProblem } from './key-ring-error.ts'
import { createKeyRing } from './rotation.ts'
import { type KeyRingWatch, watchKeyRing } from './watch-key-ring.ts'

export interface VaultOptions {
  /** The path of the key file. */
  readonly path: string
  /** The keys that wrap stored values now (`wrappingKeyOf`); empty if no value is stored. */
  readonly keysInUse: ReadonlySet<string>
  /**
   * Commits every stored value as `vault.rewrap` returns it, and returns the keys that then wrap stored
   * values. Turns decided before the call come first. If it rejects, it is called again.
   */
  rewrapAll(vault: Vault): Promise<ReadonlySet<string>>
  /** Called whenever `vault.problem` changes: values may then open that did not before. */
  problemChanged?(problem: string | null): void
  /**
   * Called when the ring in the file is in force: values are now sealed with its current key, and these keys
   * wrap stored values. If it rejects, it is called again.
   */
  inForce?(currentKeyId: string, keysInUse: ReadonlySet<string>): Promise<void>
  readonly lookEveryMs?: number
}

/** A problem of the key file; or it lacks keys of stored values, or these could not be rewrapped. */
export type VaultTrouble = KeyRingProblem | 'lacks-keys' | 'not-rewrapped'

/** Nothing can be sealed now; the message says why, and what to do. */
export class VaultUnavailable extends Error {
  readonly code = 'vault-unavailable'
  constructor(message: string) {
    super(message)
    this.name = 'VaultUnavailable'
  }
}

export class Vault {
  readonly #options: VaultOptions
  readonly #watch: KeyRingWatch
  #keysInUse: Set<string>
  #fileRing: KeyRing | null
  /** The ring of the file, plus keys that are no longer in it but still wrap values. */
  #ring: KeyRing | null
  #fileProblem: string | null
  #fileTrouble: KeyRingProblem | null
  #rewrapProblem: string | null = null
  #toldProblem: string | null = null
  #preparing: Promise<void> | null = null

  private constructor(options: VaultOptions, ring: KeyRing | null, problem: KeyRingError | null) {
    this.#options = options
    this.#keysInUse = new Set(options.keysInUse)
    this.#ring = this.#fileRing = ring
    this.#fileProblem = problem?.message ?? null
    this.#fileTrouble = problem?.code ?? null
    this.#tellProblem()
    const observer = {
      changed: (ring: KeyRing) => this.#follow(ring),
      problem: (problem: Error | null) => this.#note(problem),
    }
    this.#watch = watchKeyRing(options.path, observer, options.lookEveryMs)
  }

  /** An unusable key file is a `problem`, not an error: the rest of the service works without it. */
  static async open(options: VaultOptions): Promise<Vault> {
    try {
      return new Vault(options, await openKeyRing(options.path, options.keysInUse), null)
    } catch (error) {
      if (error instanceof KeyRingError) return new Vault(options, null, error)
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch[Symbol.asyncDispose]()
  }

  /** A whole sentence for the log, the state and metrics; null if there is no problem. */
  get problem(): string | null {
    return this.#fileProblem ?? this.#rewrapProblem ?? this.#missingKeys()
  }

  /** The kind of problem, without paths; null if there is none. */
  get trouble(): VaultTrouble | null {
    if (this.#fileProblem !== null) return this.#fileTrouble
    if (this.#rewrapProblem !== null) return 'not-rewrapped'
    return this.#missingKeys() === null ? null : 'lacks-keys'
  }

  /** To be called when values were rewritten or deleted: these keys wrap stored values now. */
  noteKeysInUse(keysInUse: ReadonlySet<string>): void {
    this.#keysInUse = new Set(keysInUse)
    this.#tellProblem()
  }

  /** The key used for sealing; null if nothing can be opened or sealed. */
  get currentKeyId(): string | null {
    return this.#ring?.currentId ?? null
  }

  /** To be awaited before the turn that seals: creates the key file on first use. Throws VaultUnavailable. */
  async prepare(): Promise<void> {
    if (this.#ring === null && this.#fileProblem === null) {
      this.#preparing ??= this.#create().finally(() => {
        this.#preparing = null
      })
      await this.#preparing
    }
    this.#usableRing()
  }

  /** Throws VaultUnavailable. */
  seal(id: string, version: string, value: string): Uint8Array {
    const ring = this.#usableRing()
    const sealed = seal(ring, id, version, value)
    this.#keysInUse.add(ring.currentId)
    return sealed
  }

  open(id: string, version: string, sealed: Uint8Array): SecretText | Unreadable {
    return this.#ring === null ? this.#withoutKeys() : open(this.#ring, id, version, sealed)
  }

  rewrap(sealed: Uint8Array): Uint8Array | Unreadable {
    return this.#ring === null ? this.#withoutKeys() : rewrap(this.#ring, sealed)
  }

  async #create(): Promise<void> {
    try {
      const ring = await createKeyRing(this.#options.path)
      // The watch may have read the file first, and in a later state.
      if (this.#ring === null) this.#ring = this.#fileRing = ring
    } catch (error) {
      // Not kept as a problem: while nothing is sealed, only the caller is affected.
      if (error instanceof KeyRingError) throw new VaultUnavailable(error.message)
      throw error
    }
  }

  #usableRing(): KeyRing {
    if (this.#ring !== null && this.#fileProblem === null) return this.#ring
    throw new VaultUnavailable(this.#fileProblem ?? `The key file ${this.#options.path} was not made yet.`)
  }

  #withoutKeys(): Unreadable {
    return new Unreadable('no key', `cannot be opened. ${this.problem ?? 'No key file was made yet.'}`)
  }

  async #follow(fileRing: KeyRing): Promise<void> {
    const before = this.#ring
    if (before === null) refuseWrongRing(this.#options.path, fileRing, this.#keysInUse)
    if (this.#fileRing?.equals(fileRing) !== true) {
      this.#fileRing = fileRing
      this.#ring = before === null ? fileRing : fileRing.retaining(before)
    }
    this.#fileProblem = null
    await this.#rewrapAll(fileRing)
    await this.#options.inForce?.(fileRing.currentId, this.#keysInUse)
  }

  async #rewrapAll(fileRing: KeyRing): Promise<void> {
    const { currentId } = fileRing
    if ([...this.#keysInUse].every((id) => id === currentId)) return
    const keysInUse = await this.#options.rewrapAll(this)
    // Values may have been sealed with the current key meanwhile.
    this.#keysInUse = new Set([...keysInUse, currentId])
    if (keysInUse.isSubsetOf(new Set(fileRing.ids))) this.#ring = fileRing
  }

  #note(problem: Error | null): void {
    const isAboutTheFile = problem instanceof KeyRingError
    // Without a file and without a value, nothing is missing.
    const isUnused =
      isAboutTheFile && problem.code === 'missing' && this.#ring === null && this.#keysInUse.size === 0
    this.#fileProblem = isAboutTheFile && !isUnused ? problem.message : null
    this.#fileTrouble = isAboutTheFile && !isUnused ? problem.code : null
    this.#rewrapProblem =
      problem === null || isAboutTheFile
        ? null
        : `Stored credentials could not be rewrapped by the current key (${problem.message}); this is tried again every second.`
    this.#tellProblem()
  }

  #missingKeys(): string | null {
    const fileIds = new Set(this.#fileRing?.ids ?? [])
    const missing = [...this.#keysInUse].filter((id) => !fileIds.has(id))
    if (this.#fileRing === null || missing.length === 0) return null
    return `The key file ${this.#options.path} lacks ${missing.join(', ')}, by which stored credentials are wrapped. Put these keys back, or write those credentials again.`
  }

  #tellProblem(): void {
    if (this.problem === this.#toldProblem) return
    this.#toldProblem = this.problem
    this.#options.problemChanged?.(this.problem)
  }
}
