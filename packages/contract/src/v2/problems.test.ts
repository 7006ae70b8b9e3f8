import { describe, expect, it } from 'vitest'
import type { CatalogueEntry } from '../operation.ts'
import { problems as v1Problems } from '../v1/problem.ts'
import { categoryByStatus, fieldReasons, notServedCode, problems } from './problems.ts'

describe('error codes', () => {
  it.each(Object.entries(problems))(
    '%s is camelCase and belongs to an error status',
    (code, { status, title }) => {
      expect(code).toMatch(/^[a-z][A-Za-z]+$/)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(title).toBeTruthy()
    },
  )

  /** Status and codes, typed from the page and not from the catalogue. */
  it.each([
    [400, 'invalidBody invalidParameter invalidCursor unsupportedFilter invalidPrecondition'],
    [401, 'unauthorized'],
    [403, 'forbidden insecureTransport'],
    [404, 'notFound'],
    [405, 'methodNotAllowed'],
    [
      409,
      'resourceReferenced managedByFile incidentNotActive recoveryIneligible executorUnfenced evidenceConflict operationConflict',
    ],
    [410, 'operationExpired cursorExpired'],
    [412, 'versionConflict'],
    [413, 'bodyTooLarge'],
    [415, 'unsupportedMediaType'],
    [422, 'invalidResource'],
    [428, 'preconditionRequired'],
    [429, 'tooBusy rateLimited'],
    [501, 'featureUnavailable'],
    [503, 'unavailable'],
  ])('of status %i has %s', (status, codes) => {
    for (const code of codes.split(' ')) expect(problems).toHaveProperty(`${code}.status`, status)
  })

  it('come with Retry-After where a client has to wait', () => {
    for (const [code, entry] of Object.entries<CatalogueEntry>(problems))
      expect([code, entry.retryAfter]).toEqual([
        code,
        { 429: 'always', 503: code === 'standby' ? 'always' : 'sometimes' }[entry.status] as undefined,
      ])
  })

  it.each(Object.entries(fieldReasons))(
    '%s is a word, and a sentence says what it means',
    (word, meaning) => {
      expect(word).toMatch(/^[a-z][A-Za-z0-9]+$/)
      expect(meaning).toMatch(/^[A-Z].+\.$/)
    },
  )

  it('has a category for every status that a code belongs to, unless it depends on the operation', () => {
    const statuses = new Set(Object.values(problems).map(({ status }) => status))
    const missing = [...statuses].filter((status) => !(status in categoryByStatus))
    expect(missing).toEqual([500, 503])
  })

  it('knows the code that editions without v2 answer with', () => {
    expect(v1Problems[notServedCode].status).toBe(404)
  })
})
