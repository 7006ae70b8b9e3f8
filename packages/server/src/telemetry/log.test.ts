// What the log says of errors, read from the real stderr of a process.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const module = new URL('log.ts', import.meta.url).href

/** The lines that these statements log. */
async function logged(statements: string): Promise<Record<string, unknown>[]> {
  const program = `
    import { createLog } from ${JSON.stringify(module)}
    const log = await createLog({ level: 'info', format: 'json' })
    ${statements}`
  const { stderr } = await run(process.execPath, ['--input-type=module', '--eval', program])
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

describe('an error in the log', () => {
  it('is told with its name, message, code, place and cause', async () => {
    const [line] = await logged(`
      const cause = Object.assign(new RangeError('too far'), { code: 'EFAR' })
      log.error({ error: new Error('it broke', { cause }), requestId: 'r1' }, 'a request failed')`)
    expect(line).toMatchObject({
      msg: 'a request failed',
      requestId: 'r1',
      error: {
        name: 'Error',
        message: 'it broke',
        stack: expect.stringMatching(/^ {4}at /),
        cause: { name: 'RangeError', message: 'too far', code: 'EFAR' },
      },
    })
  })

  it('is told the same where it is passed by itself', async () => {
    const [line] = await logged(`log.error(new TypeError('it broke'))`)
    expect(line).toMatchObject({ err: { name: 'TypeError', message: 'it broke' } })
  })

  it.each([
    [
      'a member that a library added',
      `Object.assign(new Error('x'), { headers: { authorization: 'hunter2' } })`,
    ],
    ['an excerpt of JSON', `(() => { try { JSON.parse('hunter2') } catch (error) { return error } })()`],
    [
      'a part of longer JSON',
      `(() => { try { JSON.parse('{"password": hunter2, "more": "${'x'.repeat(60)}"}') } catch (error) { return error } })()`,
    ],
    ['a header', `new Error('refused: Authorization: Bearer hunter2')`],
    ['a token of ours', `new Error('met pw_hunter2${'a'.repeat(40)}')`],
    ['a URL', `new Error('GET https://ann:hunter2@host/?key=hunter2 failed')`],
    ['a cause', `new Error('x', { cause: new Error('Basic hunter2') })`],
    ['an object that was thrown', `({ password: 'hunter2' })`],
  ])('does not have the secret of %s', async (_, made) => {
    const lines = await logged(`log.error({ error: ${made} }, 'a request failed')`)
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain('hunter2')
    expect(lines[0]?.['error']).toMatchObject({ name: expect.any(String), message: expect.any(String) })
  })

  it('ends where its cause is itself', async () => {
    const [line] = await logged(`const e = new Error('round'); e.cause = e; log.error({ error: e }, 'x')`)
    expect(line?.['error']).toMatchObject({ cause: { cause: { message: 'round' } } })
  })
})
