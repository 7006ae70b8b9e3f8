import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { looks } from './components/status-words.ts'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
)

const surfaces = ['bg', 'surface', 'sunken', 'raised']
const inks = ['ink', 'ink-2', 'ink-3', 'accent', ...looks]
const pairs = surfaces.flatMap((surface) => inks.map((ink) => [ink, surface] as const))

it.each([...pairs, ['on-accent', 'accent'] as const])(
  '%s reads on %s at AA in both themes',
  (ink, surface) => {
    for (const theme of ['light', 'dark'] as const)
      expect(contrast(tokens.get(ink)![theme], tokens.get(surface)![theme]), theme).toBeGreaterThanOrEqual(
        4.5,
      )
  },
)

it('every look has a hue of its own in both themes', () => {
  for (const theme of ['light', 'dark'] as const)
    expect(new Set(looks.map((look) => tokens.get(look)![theme])).size).toBe(looks.length)
})

/** As WCAG 2 defines it. */
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
