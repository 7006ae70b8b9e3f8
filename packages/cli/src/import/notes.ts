// import/notes.ts: what was not carried over unchanged: whose, which field, and why. A note never repeats a
// value of the source, which may be a secret. Notes that differ only in their subject share one line, so that
// a field of a hundred thousand monitors is reported once, with all their names.
import { plain } from '../client/plain-text.ts'

interface Group {
  readonly field: string
  readonly reason: string
  readonly subjects: Set<string>
}

export class Notes {
  readonly #groups = new Map<string, Group>()

  /** `subject`: the name of a monitor, an endpoint or a part of the file. `field`: empty for the subject as a whole. */
  add(subject: string, field: string, reason: string): void {
    const key = `${field}\n${reason}`
    const group = this.#groups.get(key) ?? { field, reason, subjects: new Set() }
    group.subjects.add(subject)
    this.#groups.set(key, group)
  }

  lines(): string[] {
    return [...this.#groups.values()].map(({ field, reason, subjects }) => {
      const names = [...subjects].map((subject) => JSON.stringify(plain(subject))).join(', ')
      return `${names}: ${field === '' ? '' : `${plain(field)}: `}${plain(reason)}.`
    })
  }
}
