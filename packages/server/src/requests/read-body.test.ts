import { v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { isMediaType } from './media-type.ts'
import { readBody } from './read-body.ts'
import { V2Problem } from './v2-problem.ts'

const json = 'application/json'
const { CreateMonitor, PatchMonitor, UploadOperation, CancelOperation, GetState } = v2.operations
const monitor = Buffer.from(JSON.stringify(exchanges.CreateMonitor.body))
const nothing = Buffer.alloc(0)

function refusalOf(operation: v2.V2Operation, contentType: string | undefined, bytes: Uint8Array) {
  try {
    readBody(operation, contentType, bytes)
  } catch (error) {
    if (!(error instanceof V2Problem)) throw error
    const { status, code } = error.documentFor('r')
    return `${status} ${code}`
  }
  return ''
}

describe('a body', () => {
  it('is what the contract calls it', () => {
    const read = readBody(CreateMonitor, json, monitor)
    expectTypeOf(read).toEqualTypeOf<v2.Monitor>()
    expect(read).toEqual(exchanges.CreateMonitor.body)
  })

  it.each(v2.operationNames)('%s takes its example', (name) => {
    const operation: v2.V2Operation = v2.operations[name]
    const { body } = exchanges[name]
    const bytes = body === undefined ? nothing : Buffer.from(JSON.stringify(body))
    expect(readBody(operation, operation.body?.mediaType, bytes)).toEqual(body)
  })

  it('is refused in order: by its type, its size, its JSON, its shape, its values', () => {
    const large = Buffer.alloc(v2.limits.bodyBytes + 1, ' ')
    expect(refusalOf(CreateMonitor, 'text/plain', large)).toBe('415 unsupportedMediaType')
    expect(refusalOf(CreateMonitor, undefined, monitor)).toBe('415 unsupportedMediaType')
    expect(refusalOf(CreateMonitor, json, large)).toBe('413 bodyTooLarge')
    expect(refusalOf(UploadOperation, json, large)).toBe('400 invalidBody')
    expect(refusalOf(UploadOperation, json, Buffer.alloc(v2.limits.uploadBytes + 1))).toBe('413 bodyTooLarge')
    expect(refusalOf(CreateMonitor, json, nothing)).toBe('400 invalidBody')
    expect(refusalOf(CreateMonitor, json, Buffer.from('{}'))).toBe('400 invalidBody')
    const twice = Buffer.from(monitor.toString().replace('{', '{"kind":"Monitor",'))
    expect(refusalOf(CreateMonitor, json, twice)).toBe('400 invalidBody')
    const wrong = Buffer.from(monitor.toString().replace('"30s"', '"often"'))
    expect(refusalOf(CreateMonitor, json, wrong)).toBe('422 invalidResource')
  })

  it('of a patch is an object and nothing is known of its members', () => {
    const patch = (text: string) => refusalOf(PatchMonitor, 'application/merge-patch+json', Buffer.from(text))
    expect(patch('{"spec":null,"a\\nb":[{}]}')).toBe('')
    for (const text of ['[]', 'null', '"spec"', '7']) expect(patch(text)).toBe('400 invalidBody')
    expect(refusalOf(PatchMonitor, json, Buffer.from('{}'))).toBe('415 unsupportedMediaType')
  })

  it('is refused where none is expected, and then no content type is needed', () => {
    for (const operation of [CancelOperation, GetState]) {
      expect(readBody(operation, undefined, nothing)).toBeUndefined()
      expect(readBody(operation, 'text/plain', nothing)).toBeUndefined()
      expect(refusalOf(operation, json, Buffer.from('{}'))).toBe('400 invalidBody')
    }
  })
})

describe('a content type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
  ])('may be %j', (contentType) => expect(isMediaType(contentType, json)).toBe(true))

  it.each([
    undefined,
    '',
    'text/plain',
    'application/json, text/plain',
    'application/jsonx',
    'application/vnd.api+json',
    'application/problem+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; profile=x',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; charset=utf-8; boundary=x',
    'application/json charset=utf-8',
    '*/*',
  ])('is never %j', (contentType) => expect(isMediaType(contentType, json)).toBe(false))
})
