// Notes and the story of an incident, as the commands say them against the real service.
import { eventually } from '@pulseward/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServedNext } from '../client/served.fixture.ts'

const fleet = `
endpoints: { chat: { type: log, config: {} } }
monitors:
  - id: edge
    name: "Edge *gateway*"
    check: { type: tcp, interval: 1s, timeout: 1s, unhealthy_threshold: 1, config: { host: 127.0.0.1, port: 1 } }
    notify: { red: { endpoints: [chat] } }
`
let served: ServedNext
beforeAll(async () => {
  served = await ServedNext.start({ fleet })
  await eventually(async () => {
    const { code, stderr } = await served.run(['describe', 'incident', 'edge'])
    if (code !== 0) throw new Error(stderr)
  })
})
afterAll(() => served[Symbol.asyncDispose]())

describe('a note', () => {
  it('is added by the monitor or by the incident, and is in the story as text', async () => {
    const first = await served.run(['note', 'edge', '# the pool was full'])
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^The note is in the record of incident \S+\.\n$/),
    ])
    const { id } = JSON.parse((await served.run(['note', 'edge', 'raised it', '-o', 'json'])).stdout)
    const story = await served.run(['describe', 'incident', id, '-o', 'markdown'])
    expect(story.code).toBe(0)
    expect(story.stdout.split('\n')[0]).toBe(String.raw`# Incident: Edge \*gateway\*`)
    expect(story.stdout).toContain(String.raw`  > \# the pool was full`)
    expect(story.stdout).toContain('  > raised it')
    expect(story.stdout).toContain('- Red to chat (1 check in a row failed; the threshold is 1)')
  })

  it.each([
    [['note'], 'Name one incident and give the note as one text'],
    [['note', 'edge'], 'Name one incident and give the note as one text'],
    [['note', 'edge', 'two', 'words'], 'Name one incident and give the note as one text'],
    [['note', 'edge', '  '], 'The note is empty'],
    [['note', 'edge', 'ä'.repeat(2_049)], 'The note has 4098 bytes; at most 4096 are allowed.'],
  ])('%j is refused before anything is sent', async (words, sentence) => {
    const { code, stderr } = await served.run(words)
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
  })

  it('of an incident that is not there is refused', async () => {
    expect(await served.run(['note', 'nothing', 'a'])).toMatchObject({ code: 1 })
  })
})

it('only an incident has a story', async () => {
  const { code, stderr } = await served.run(['describe', 'monitor', 'edge', '-o', 'markdown'])
  expect(code).toBe(2)
  expect(stderr).toContain('-o markdown is for an incident')
})
