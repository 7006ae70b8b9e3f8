import { expect, it } from 'vitest'
import { addressOf, commandsFor, firstMonitor } from './first-monitor.ts'

it.each([
  ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
  ['  example.com:8443 ', 'https://example.com:8443/'],
  ['HTTP://EXAMPLE.com', 'http://example.com/'],
  ['https://[::1]:8060/', 'https://[::1]:8060/'],
])('takes %j as an address', (typed, href) => {
  expect(addressOf(typed)?.href).toBe(href)
})

it.each([
  '',
  '   ',
  'javascript://alert(1)',
  'ftp://example.com',
  'https://',
  'https://user:secret@example.com/',
  'a b',
])('refuses %j', (typed) => {
  expect(addressOf(typed)).toBe(null)
})

it('names the monitor after the host', () => {
  expect(firstMonitor(new URL('https://shop.example.com:8443/x'))).toMatchObject({
    metadata: { id: 'shop-example-com-8443', name: 'shop.example.com:8443' },
  })
  expect(firstMonitor(new URL('https://[::1]/'))).toMatchObject({ metadata: { id: '1' } })
})

it.each(['https://a.test/\nEND\nrm -rf ~', 'https://a.test/"}; $(reboot) `id`', "https://a.test/'\\"])(
  'keeps %j within the file that the commands write',
  (typed) => {
    const commands = commandsFor(new URL(typed), { edition: 'main' })
    const lines = commands.split('\n')
    expect(lines).toHaveLength(12)
    expect(lines.indexOf('END')).toBe(10)
    expect(lines[11]).toBe('npx pulseward serve --config fleet.yaml --edition main')
    expect(JSON.parse(lines[9]?.slice('      config: { url: '.length, -' }'.length) ?? '')).toBe(
      new URL(typed).href,
    )
  },
)
