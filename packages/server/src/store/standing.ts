// store/standing.ts: several processes share one store: one is active, the others stand by until it stops or falls silent.
// What each tells the others about itself, and what it sees of them. Only a store that other machines can reach has this.

/** What a process tells the others about itself. */
export interface ProcessCard {
  /** For people: the name of its machine. */
  readonly name: string
  /** Where people and clients reach it. */
  readonly url: string
  /** Its machine and data directory: a process that is started again there is the successor of the one before. */
  readonly place: string
  /** The digest of its fleet files and of its key of credentials. */
  readonly files: string
}

export interface KnownProcess {
  readonly name: string
  readonly url: string
  readonly role: 'active' | 'standby'
  /** Whether its fleet files are those of the active process. */
  readonly hasSameFiles: boolean
}

/** What an active process sees of the others. */
export interface Sharing {
  /** Itself first. Without those that have not been heard of for long. */
  processes(): readonly KnownProcess[]
  /** How often a process took the store over from one that had not ended by itself; null if not known yet. */
  takeovers(): number | null
}

/** What a process that stands by sees. */
export interface StandingView {
  /** The process that has the store, or had it last; null if it is not known. */
  readonly active: Pick<ProcessCard, 'name' | 'url'> | null
  /** How long ago the active process committed something new, as far as it was seen. */
  readonly batchAgeMs: number
  readonly takeovers: number
  readonly hasSameFiles: boolean
  /** Why the store cannot be read now; null if it can. */
  readonly trouble: { readonly problem: string; readonly message: string } | null
}

export interface Standing {
  card(): ProcessCard
  /** If false, the process is refused while another one has the store. */
  readonly waits: boolean
  /** Takes over also from an active process on another machine whose fleet files differ. */
  readonly acceptsFiles: boolean
  /** Ends the waiting, which then rejects with the reason. */
  readonly stopped: AbortSignal
  /** Told after every look at the store, several times per second. */
  looked(view: StandingView): void
}
