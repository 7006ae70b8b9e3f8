// scripts/check/part.ts: one part of `npm run check`. It looks at a tree and says what is wrong with it;
// it changes nothing, and takes the root as an argument so that its test can hand it a broken tree.
export interface Part {
  readonly name: string
  /** What it finds may be right as it is: it is shown and never fails the check. */
  readonly isHint?: true
  /** Each finding is one or more lines for a person, beginning with the place where it is. */
  run(root: string): Promise<readonly string[]>
}
