// demo/draws.ts: numbers that look random and follow from a seed alone, so that a demo can be shown again. Every
// draw stands for itself: nothing depends on the order in which draws are made, nor on the thread that makes them.

/** Between 0 and 1, always the same for the same seed, subject and purpose (integers of 32 bits). */
export function draw(seed: number, subject: number, purpose: number): number {
  let mixed = mix(seed ^ 0x9e3779b9)
  mixed = mix(mixed ^ subject)
  mixed = mix(mixed ^ purpose)
  return mixed / 0x1_0000_0000
}

/** One of the choices, each as likely as the others. */
export function choose<Choice>(choices: readonly [Choice, ...Choice[]], drawn: number): Choice {
  return choices[Math.floor(drawn * choices.length)]!
}

/** Carries every bit into every other. */
function mix(value: number): number {
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) >>> 0
}
