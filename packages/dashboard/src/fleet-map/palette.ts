// fleet-map/palette.ts: the tokens as the canvas needs them. A quiet status is a faint tint of its hue.
import { type Look, looks } from '../components/status-words.ts'

export interface Palette {
  /** By number of the look, as a pixel of an ImageData on a little-endian machine. Loud statuses are at full hue. */
  readonly tints: Uint32Array
  /** The same for cells below a mark: the mark is loud, so the cell need not be. */
  readonly tintsUnderMarks: Uint32Array
  /** By number of the look, for marks. */
  readonly hues: readonly string[]
  readonly ground: number
  readonly ink: string
  readonly label: string
  readonly plate: string
}

type Rgb = readonly [number, number, number]

const quietTint: Readonly<Partial<Record<Look, number>>> = {
  up: 0.2,
  unknown: 0.34,
  snoozed: 0.3,
  disabled: 0.2,
}
const underMark = 0.3

/** `element` only provides its style; it is unchanged when this returns. */
export function readPalette(element: HTMLElement): Palette {
  const resolve = (token: string) => resolveToken(element, token)
  const ground = resolve('--sunken')
  const hues = looks.map((look) => resolve(`--${look}`))
  const tinted = (loud: number) =>
    Uint32Array.from(looks, (look, index) => pixel(mix(ground, hues[index]!, quietTint[look] ?? loud)))
  return {
    ground: pixel(ground),
    hues: hues.map(css),
    tints: tinted(1),
    tintsUnderMarks: tinted(underMark),
    ink: css(resolve('--ink')),
    label: css(resolve('--ink-2')),
    plate: css(ground),
  }
}

export function mix(under: Rgb, over: Rgb, share: number): Rgb {
  const part = (channel: 0 | 1 | 2) => Math.round(under[channel] + (over[channel] - under[channel]) * share)
  return [part(0), part(1), part(2)]
}

export function pixel([red, green, blue]: Rgb): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

const css = ([red, green, blue]: Rgb) => `rgb(${red} ${green} ${blue})`

/** Browsers resolve light-dark() only in a color property. */
function resolveToken(element: HTMLElement, token: string): Rgb {
  const before = element.style.color
  element.style.color = `var(${token})`
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number)
  element.style.color = before
  return [red, green, blue]
}
