// deciding/actions/parts.ts: what the ledger is made of, made once and shared by everything that decides for it.
import { Books } from './books.ts'
import { CodeDesk, type CodeSettings } from './code-desk.ts'
import type { Destination } from './destination.ts'
import { Selection } from './selection.ts'
import { UntoldIncidents } from './untold.ts'

export interface LedgerSettings extends CodeSettings {
  /** For the whole service. */
  readonly interventionsPerMinute: number
}

export interface LedgerOptions {
  readonly settings: LedgerSettings
  readonly destinations: Iterable<Destination>
  /** Ids that were never given before, in any run. */
  readonly newId: () => string
}

export interface LedgerParts {
  readonly selection: Selection
  readonly books: Books
  readonly desk: CodeDesk
  readonly untold: UntoldIncidents
}

export function createParts({ settings, destinations, newId }: LedgerOptions): LedgerParts {
  const selection = new Selection(settings.interventionsPerMinute, destinations)
  const books = new Books(selection)
  const untold = new UntoldIncidents()
  return { selection, books, untold, desk: new CodeDesk(settings, books, selection, untold, newId) }
}
