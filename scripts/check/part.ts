// scripts/check/part.ts: one part of `npm run check`. It reads a tree and returns what is wrong with it. It
// changes nothing, and takes the root as an argument so that its test can pass a broken tree.
export interface Part {
  readonly name: string
  /** Its findings may be right as they are: they are shown and never fail the check. */
  readonly isHint?: true
  /** Each finding is one or more lines for a person, starting with its location. */
  run(root: string): Promise<readonly string[]>
}
