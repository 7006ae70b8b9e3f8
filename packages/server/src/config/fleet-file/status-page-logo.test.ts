// Which pictures can be a logo. What is refused here would run, load or include something, or cost a browser much.
import { describe, expect, it } from 'vitest'
import { logoProblem, longestLogoBytes } from './status-page-logo.ts'

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${attributes}>${inside}</svg>`
const problemOf = (text: string) => logoProblem('image/svg+xml', Buffer.from(text))

describe('an SVG', () => {
  it.each([
    svg('<path d="M0 0h8v8z" fill="#a31"/>'),
    `<?xml version="1.0" encoding="utf-8"?>\n<!-- made by hand -->\n${svg('<title>Shop &amp; Co</title>')}`,
    svg('<defs><linearGradient id="a"/></defs><g fill="url(#a)"><use href="#a"/></g>'),
    svg('<image href="data:image/png;base64,iVBORw0KGgo=" width="8" height="8"/>'),
    svg('<style>.a{fill:url(#b)}</style><text class="a">one of two</text>'),
  ])('that is a picture and nothing else is taken: %s', (text) => {
    expect(problemOf(text)).toBeNull()
  })

  it.each([
    [svg('<script>alert(1)</script>'), 'element script'],
    [svg('<SCRIPT href="#a"/>'), 'element SCRIPT'],
    [svg('<svg:script/>'), 'element script'],
    [svg('<foreignObject><p/></foreignObject>'), 'element foreignObject'],
    [svg('<iframe/>'), 'element iframe'],
    [svg('', ' onload="alert(1)"'), 'event handler'],
    [svg('<path d="M0 0"onclick=alert(1) />'), 'event handler'],
    [svg('<a href="javascript:alert(1)"/>'), 'script in an address'],
    [svg('<a href="java&#115;cript:alert(1)"/>'), 'entities'],
    [
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('&x;')}`,
      'does not begin with the element svg',
    ],
    [`${svg('')}<!DOCTYPE svg>`, 'document type'],
    [`<?xml-stylesheet href="x.css"?>${svg('')}`, 'does not begin with the element svg'],
    [svg('<?xml-stylesheet href="x.css"?>'), 'processing instruction'],
    [svg('<image href="https://tracker.example/x.png"/>'), 'another file or host'],
    [svg("<image xlink:href='//tracker.example/x.png'/>"), 'another file or host'],
    [svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>'), 'another file or host'],
    [svg('<path style="fill:url(https://tracker.example/x)"/>'), 'another file or host'],
    [svg('<style>@import "x.css";</style>'), 'style that may load'],
    [svg('<style>a{fill:\\75rl(x)}</style>'), 'style that may load'],
    [svg('<set attributeName="href" to="x"/>'), 'animates an address'],
    [svg('<animate attributeName=xlink:href values="x"/>'), 'animates an address'],
    ['<html><svg></svg></html>', 'does not begin with the element svg'],
    ['', 'does not begin with the element svg'],
    ['\ud800', 'not text in UTF-8'],
  ])('that is more than that is refused: %s', (text, reason) => {
    expect(problemOf(text)).toContain(reason)
  })

  it('of more than 64 KiB is refused', () => {
    expect(problemOf(svg(' '.repeat(longestLogoBytes)))).toBe('is larger than 64 KiB; make it smaller.')
  })
})

describe('a PNG', () => {
  const png = (width: number, height: number) => {
    const bytes = Buffer.alloc(40)
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    bytes.write('\0\0\0\rIHDR', 8, 'latin1')
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    return bytes
  }

  it('is taken if it has a sensible size', () => {
    expect(logoProblem('image/png', png(512, 128))).toBeNull()
    expect(logoProblem('image/png', png(65_535, 65_535))).toContain('65535 by 65535 pixels')
    expect(logoProblem('image/png', png(0, 1))).toContain('0 by 1 pixels')
  })

  it('is one by its bytes, not by its name', () => {
    expect(logoProblem('image/png', Buffer.from(svg('')))).toBe('is not a PNG.')
    expect(logoProblem('image/png', png(8, 8).subarray(0, 20))).toBe('is not a PNG.')
  })
})
