// What explain says of a decision: the answer, the rules and what comes next, in the time of the reader, and for programs.
import type { v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'
import { displayWidth } from '../client/table/display-width.ts'

let peer: ReferencePeer
beforeAll(async () => {
  peer = await ReferencePeer.start()
})
afterAll(() => peer[Symbol.asyncDispose]())

const run = (words: readonly string[], columns?: number) =>
  runInProcess(['explain', ...words, '--server', peer.url], {
    now: '2026-03-29T01:00:05Z',
    timeZone: 'Europe/Berlin',
    environment: { NO_COLOR: '1' },
    ...(columns !== undefined && { columns }),
  })

describe('explain', () => {
  it.each([80, 40])('tells the answer first, in %i columns', async (columns) => {
    const { code, stdout, stderr } = await run(['monitor', 'checkout-api'], columns)
    expect([code, stderr]).toEqual([0, ''])
    for (const line of stdout.split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(columns)
    await expect(stdout).toMatchFileSnapshot(`golden/explain.${columns}.txt`)
  })

  it.each<[string, string, string]>([
    ['monitor a', '/api/v2/monitors/a/explanation', ''],
    ['monitor/a', '/api/v2/monitors/a/explanation', ''],
    ['monitor a --endpoint ops', '/api/v2/monitors/a/explanation', 'ops'],
    [
      'monitor a --at 2026-03-29T02:00:00+01:00',
      '/api/v2/monitors/a/explanation',
      '2026-03-29T01:00:00.000Z',
    ],
    ['incident i', '/api/v2/incidents/i/explanation', ''],
    ['action x', '/api/v2/actions/x/explanation', ''],
  ])('%s asks the service', async (line, path, value) => {
    const { code, stdout } = await run([...line.split(' '), '-o', 'json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, exchanges.ExplainMonitor.answer])
    expect([peer.lastRequest.path, Object.values(peer.lastRequest.query).join()]).toEqual([path, value])
  })

  it('shows a rule of a newer service by its name', async () => {
    const answer = exchanges.ExplainAction.answer as v2.DecisionExplanation
    const rules = [{ rule: 'phase_of_the_moon', verdict: 'decided', text: 'It was full.' }]
    const newer = JSON.stringify({ ...answer, rules, next: [] })
    peer.misbehave((response, { headers }) => response.writeHead(200, headers).end(newer))
    const { stdout } = await run(['action', 'x'])
    expect(stdout).toContain('phase_of_the_moon  decided: It was full.')
    expect(stdout).not.toContain('What comes next')
    peer.misbehave(null)
  })

  it.each([
    [['credential', 'a'], 'A credential is not explained; a monitor, an incident and an action are.'],
    [['monitor', 'a', 'b'], 'Name one: pulseward explain monitor|incident|action ID'],
    [['action', 'x', '--endpoint', 'ops'], '--endpoint is for a monitor'],
    [['incident', 'i', '--at', '2026-03-29T01:00:00Z'], '--at is for a monitor'],
    [['monitor', 'a', '--at', 'noon'], '"noon" is not a moment; write it with its offset'],
    [['montor', 'a'], 'There is no kind "montor". Did you mean monitor?'],
  ])('%j is refused before anything is sent', async (words, sentence) => {
    const { code, stderr } = await run(words)
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })
})
