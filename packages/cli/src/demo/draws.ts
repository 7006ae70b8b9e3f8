// demo/draws.ts: pseudorandom numbers that depend on a seed alone, so that a demo can be repeated. Draws are
// independent: neither their order nor the thread matters.

/** Between 0 and 1, always the same for the same seed, subject and purpose (32-bit integers). */
export function draw(seed: number, subject: number, purpose: number): number {
  let mixed = mix(seed ^ 0x9e3779b9)
  mixed = mix(mixed ^ subject)
  mixed = mix(mixed ^ purpose)
  return mixed / 0x1_0000_0000
}

/** One of the choices, all equally likely. */
export function choose<Choice>(choices: readonly [Choice, ...Choice[]], drawn: number): Choice {
  return choices[Math.floor(drawn * choices.length)]!
}

/** Mixes every bit into every other. */
function mix(value: number): number {
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) >>> 0
}
