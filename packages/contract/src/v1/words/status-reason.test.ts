import { describe, expect, it } from 'vitest'
import { reasonSentence } from './status-reason.ts'

describe('the reason of a status', () => {
  it('loses the status in front and becomes a sentence', () => {
    expect(reasonSentence('incident', 'incident: 3 failures in a row')).toBe('3 failures in a row.')
    expect(reasonSentence('degraded', 'degraded: the certificate expires soon.')).toBe(
      'The certificate expires soon.',
    )
  })

  it('that is not given is the meaning of the status', () => {
    expect(reasonSentence('up', null)).toBe('The last checks succeeded.')
  })
})
